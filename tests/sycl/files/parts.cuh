// What parts.cu defines: each kind of thing that a kernel of another file uses.
#pragma once
extern __constant__ float coefficients[4];
extern __device__ int counter;
__global__ void fill(float *out);
__device__ int position(int first);
class Ray {
  public:
    __device__ explicit Ray(float x);
    __device__ float at(float t) const;
    __device__ Ray operator*(float s) const;
    __device__ int lane(int of) const;
    float x;
};
__device__ float3 operator+(const float3 &a, const float3 &b);
