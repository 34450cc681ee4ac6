/* SPDX-License-Identifier: Apache-2.0 */
// A half for tests of fragments: kept as a float, which holds the whole numbers they use.
#pragma once
struct __half {
    float value;
    __half() = default;
    explicit __half(float x) : value(x) {}
    explicit operator float() const { return value; }
};
