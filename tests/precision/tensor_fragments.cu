// target: rocm
// select: cuda-silent,cuda-ptx
// A header with the fragments but not their include.
using namespace nvcuda;

__device__ void tile(const half *a, float *c) {
    // ok: cuda-silent/wmma-tile
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    // ok: cuda-silent/wmma-tile
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
}
