// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h> // all of it
