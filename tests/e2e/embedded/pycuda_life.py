# SPDX-License-Identifier: Apache-2.0
# PyCUDA's SourceModule: Conway's life with text filled in, streams, events, pinned memory; bodies
# in a struct that is packed by hand.
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

template = """
#define WIDTH %(width)d
#define HEIGHT %(height)d

__global__ void life(const unsigned char *now, unsigned char *next)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH || y >= HEIGHT)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                alive += now[((y + dy + HEIGHT) %% HEIGHT) * WIDTH + (x + dx + WIDTH) %% WIDTH];
    next[y * WIDTH + x] = alive == 3 || (alive == 2 && now[y * WIDTH + x]);
}
"""
width, height = 61, 47
mod = SourceModule(template % {"width": width, "height": height}, options=["-O2"])
life = mod.get_function("life")
rng = np.random.default_rng(10)
board = rng.integers(0, 2, (height, width), dtype=np.uint8)

stream = drv.Stream()
start, stop = drv.Event(), drv.Event()
pinned = drv.pagelocked_empty(board.shape, board.dtype)
pinned[:] = board
now, after = drv.mem_alloc(board.nbytes), drv.mem_alloc(board.nbytes)
start.record(stream)
drv.memcpy_htod_async(now, pinned, stream)
for _ in range(12):
    life(now, after, block=(16, 16, 1), grid=((width + 15) // 16, (height + 15) // 16), stream=stream)
    now, after = after, now
drv.memcpy_dtoh_async(pinned, now, stream)
stop.record(stream)
stream.synchronize()
assert start.time_till(stop) >= 0
want = board
for _ in range(12):
    neighbours = sum(np.roll(want, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
    want = ((neighbours == 3) | ((neighbours == 2) & (want == 1))).astype(np.uint8)
assert (pinned == want).all()

bodies = SourceModule(r"""
struct Body { float3 at; float mass; double energy; };
extern "C" __global__ void energies(Body *bodies, const int n, const float softening)
{
    extern __shared__ float4 tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    double e = 0.0;
    for (int first = 0; first < n; first += blockDim.x) {
        if (first + threadIdx.x < n) {
            const Body &b = bodies[first + threadIdx.x];
            tile[threadIdx.x] = make_float4(b.at.x, b.at.y, b.at.z, b.mass);
        }
        __syncthreads();
        if (i < n)
            for (int k = 0; k < min((int)blockDim.x, n - first); k++) {
                if (first + k == i) continue;
                float dx = tile[k].x - bodies[i].at.x, dy = tile[k].y - bodies[i].at.y, dz = tile[k].z - bodies[i].at.z;
                e -= bodies[i].mass * tile[k].w * rsqrtf(dx * dx + dy * dy + dz * dz + softening);
            }
        __syncthreads();
    }
    if (i < n) bodies[i].energy = e;
}
""", no_extern_c=True)
kind = np.dtype([("at", np.float32, 3), ("mass", np.float32), ("energy", np.float64)], align=True)
n = 150
host = np.zeros(n, kind)
host["at"], host["mass"] = rng.random((n, 3)), rng.random(n)
energies = bodies.get_function("energies")
energies.prepare("Pif")
device = drv.to_device(host)
energies.prepared_call((3, 1), (64, 1, 1), device, n, 1e-3, shared_size=64 * 16)
drv.Context.synchronize()
got = drv.from_device(device, host.shape, kind)
d = host["at"][:, None].astype(np.float64) - host["at"][None]
pull = host["mass"][:, None] * host["mass"][None] / np.sqrt((d * d).sum(-1) + 1e-3)
np.fill_diagonal(pull, 0)
np.testing.assert_allclose(got["energy"], -pull.sum(1), rtol=1e-4)
assert energies.shared_size_bytes >= 0 and energies.num_regs >= 0
print("pycuda_life", drv.Device.count() > 0, drv.Device(0).name() != "")
