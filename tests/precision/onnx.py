# target: ascend
"""Sessions of ONNX Runtime."""
import onnxruntime as ort


def session(path, gpu):
    # want: silent/onnx-provider
    providers = ["CUDAExecutionProvider"] if gpu else ["CPUExecutionProvider"]
    # ok: silent/onnx-provider
    return ort.InferenceSession(path, providers=providers)


def best():
    available = ort.get_available_providers()
    # want: silent/onnx-provider, silent/onnx-provider
    for name in ("TensorrtExecutionProvider", "CUDAExecutionProvider"):
        if name in available:
            return name
    # ok: silent/onnx-provider
    print("install the package that has the CUDAExecutionProvider")
    # ok: silent/onnx-provider
    return "CANNExecutionProvider" if "CANNExecutionProvider" in available else None


def options(rank):
    # want: silent/onnx-provider
    return [("CUDAExecutionProvider", {"device_id": rank}), ("CPUExecutionProvider", {})]
