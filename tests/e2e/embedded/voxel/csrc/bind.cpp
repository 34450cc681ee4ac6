// SPDX-License-Identifier: Apache-2.0
// Dispatch by device, as extensions with a half for each do it.
#include "voxel.h"

at::Tensor voxelize(const at::Tensor &points, std::vector<double> cell, std::vector<int64_t> grid) {
    TORCH_CHECK(points.dim() == 2 && points.size(1) == 3, "points: N x 3");
    if (points.device().is_cuda()) {
#ifdef WITH_CUDA
        return voxelize_cuda(points, cell, grid);
#else
        TORCH_CHECK(false, "built without CUDA");
#endif
    }
    TORCH_CHECK(false, "not implemented on the CPU");
}

at::Tensor nms(const at::Tensor &boxes, const at::Tensor &scores, double threshold) {
    AT_ASSERTM(boxes.type().is_cuda(), "boxes must be a CUDA tensor");
    if (boxes.numel() == 0) return at::empty({0}, boxes.options().dtype(at::kLong).device(at::kCPU));
    return nms_cuda(boxes, scores, threshold);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("voxelize", &voxelize, py::arg("points"), py::arg("cell"), py::arg("grid"));
    m.def("nms", &nms, py::arg("boxes"), py::arg("scores"), py::arg("threshold"));
}
