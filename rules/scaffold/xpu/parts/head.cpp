#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr size_t GROUP = 256;

