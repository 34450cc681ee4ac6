// SPDX-License-Identifier: Apache-2.0
// Thrust: function objects, placeholders, random numbers, complex numbers.
#ifndef CUDA_MORPH_CPU_THRUST_FUNCTIONAL_HPP
#define CUDA_MORPH_CPU_THRUST_FUNCTIONAL_HPP

namespace thrust {

using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;

template <class T = void> struct maximum {
    constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
    constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <> struct maximum<void> {
    template <class A, class B> constexpr auto operator()(const A &a, const B &b) const {
        return a < b ? b : a;
    }
};
template <> struct minimum<void> {
    template <class A, class B> constexpr auto operator()(const A &a, const B &b) const {
        return b < a ? b : a;
    }
};
template <class T = void> struct identity {
    using argument_type = T;
    using result_type = T;
    constexpr const T &operator()(const T &v) const { return v; }
};
template <> struct identity<void> {
    template <class T> constexpr T &&operator()(T &&v) const { return std::forward<T>(v); }
};
template <class T = void> struct square {
    constexpr T operator()(const T &v) const { return v * v; }
};
template <class A = void, class B = void> struct project1st {
    template <class X, class Y> constexpr X operator()(const X &x, const Y &) const { return x; }
};
template <class A = void, class B = void> struct project2nd {
    template <class X, class Y> constexpr Y operator()(const X &, const Y &y) const { return y; }
};
template <class A, class R> struct unary_function {
    using argument_type = A;
    using result_type = R;
};
template <class A, class B, class R> struct binary_function {
    using first_argument_type = A;
    using second_argument_type = B;
    using result_type = R;
};
using std::not_fn;
template <class F> inline auto not1(F f) {
    return [f](const auto &v) mutable { return !f(v); };
}
template <class F> inline auto not2(F f) {
    return [f](const auto &a, const auto &b) mutable { return !f(a, b); };
}

template <class A, class B> constexpr auto max(const A &a, const B &b) { return a < b ? b : a; }
template <class A, class B> constexpr auto min(const A &a, const B &b) { return b < a ? b : a; }

// ---- placeholders: _1 * 2 + _2 is a function ----

namespace detail {
struct expression_tag {};
template <class T>
constexpr bool is_expression = std::is_base_of<expression_tag, std::decay_t<T>>::value;
template <class F> struct expression : expression_tag {
    F function;
    explicit expression(F f) : function(f) {}
    template <class... A> constexpr auto operator()(const A &...a) const { return function(a...); }
};
template <size_t N> struct argument : expression_tag {
    template <class... A> constexpr auto operator()(const A &...a) const {
        return std::get<N>(std::tie(a...));
    }
};
template <class E, class... A> constexpr auto evaluate(const E &e, const A &...a) {
    if constexpr (is_expression<E>)
        return e(a...);
    else
        return e;
}
} // namespace detail
namespace placeholders {
inline constexpr detail::argument<0> _1{};
inline constexpr detail::argument<1> _2{};
inline constexpr detail::argument<2> _3{};
} // namespace placeholders
namespace detail {
#define CM_THRUST_BINARY(op)                                                                      \
    template <class A, class B, class = std::enable_if_t<is_expression<A> || is_expression<B>>>   \
    constexpr auto operator op(const A &a, const B &b) {                                          \
        auto f = [a, b](const auto &...v) { return evaluate(a, v...) op evaluate(b, v...); };     \
        return expression<decltype(f)>(f);                                                        \
    }
CM_THRUST_BINARY(+)
CM_THRUST_BINARY(-)
CM_THRUST_BINARY(*)
CM_THRUST_BINARY(/)
CM_THRUST_BINARY(%)
CM_THRUST_BINARY(==)
CM_THRUST_BINARY(!=)
CM_THRUST_BINARY(<)
CM_THRUST_BINARY(>)
CM_THRUST_BINARY(<=)
CM_THRUST_BINARY(>=)
CM_THRUST_BINARY(&&)
CM_THRUST_BINARY(||)
CM_THRUST_BINARY(&)
CM_THRUST_BINARY(|)
CM_THRUST_BINARY(^)
#undef CM_THRUST_BINARY
template <class A, class = std::enable_if_t<is_expression<A>>>
constexpr auto operator-(const A &a) {
    auto f = [a](const auto &...v) { return -evaluate(a, v...); };
    return expression<decltype(f)>(f);
}
template <class A, class = std::enable_if_t<is_expression<A>>>
constexpr auto operator!(const A &a) {
    auto f = [a](const auto &...v) { return !evaluate(a, v...); };
    return expression<decltype(f)>(f);
}
} // namespace detail

// ---- random numbers, complex numbers ----

using std::minstd_rand;
using std::minstd_rand0;
using std::normal_distribution;
using std::uniform_int_distribution;
using std::uniform_real_distribution;
using default_random_engine = std::minstd_rand;
template <class T, T A, T C, T M>
using linear_congruential_engine = std::linear_congruential_engine<T, A, C, M>;
namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::minstd_rand0;
using thrust::normal_distribution;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
} // namespace random

// A class of its own, as in CUDA: programs overload for it beside the standard library's.
template <class T> struct complex : std::complex<T> {
    using std::complex<T>::complex;
    using std::complex<T>::operator=;
    constexpr complex() = default;
    template <class U>
    constexpr complex(const std::complex<U> &z) : std::complex<T>(T(z.real()), T(z.imag())) {}
};

namespace detail {
// What two numbers become together: float with double is double, an integer the other's.
template <class A, class B>
using numbers = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>,
                                 complex<decltype(A() + B())>>;
} // namespace detail

// Each of two may be of another type than the other, and be no complex number at all.
#define CM_COMPLEX_OPERATOR(op)                                                                    \
    template <class A, class B>                                                                    \
    constexpr detail::numbers<A, B> operator op(const complex<A> &a, const complex<B> &b) {        \
        using T = decltype(A() + B());                                                             \
        return std::complex<T>(T(a.real()), T(a.imag()))                                           \
            op std::complex<T>(T(b.real()), T(b.imag()));                                          \
    }                                                                                              \
    template <class A, class B>                                                                    \
    constexpr detail::numbers<A, B> operator op(const complex<A> &a, const B &b) {                 \
        using T = decltype(A() + B());                                                             \
        return std::complex<T>(T(a.real()), T(a.imag())) op T(b);                                  \
    }                                                                                              \
    template <class A, class B>                                                                    \
    constexpr detail::numbers<A, B> operator op(const A &a, const complex<B> &b) {                 \
        using T = decltype(A() + B());                                                             \
        return T(a) op std::complex<T>(T(b.real()), T(b.imag()));                                  \
    }
CM_COMPLEX_OPERATOR(+)
CM_COMPLEX_OPERATOR(-)
CM_COMPLEX_OPERATOR(*)
CM_COMPLEX_OPERATOR(/)
#undef CM_COMPLEX_OPERATOR
template <class T> constexpr complex<T> operator+(const complex<T> &z) { return z; }
template <class T> constexpr complex<T> operator-(const complex<T> &z) {
    return complex<T>(-z.real(), -z.imag());
}

// The standard library's take these numbers, too, and give the standard library's.
using std::abs;
using std::arg;
using std::norm;
#define CM_COMPLEX_FUNCTION(name)                                                                  \
    using std::name;                                                                               \
    template <class T> complex<T> name(const complex<T> &z) {                                      \
        return std::name(static_cast<const std::complex<T> &>(z));                                 \
    }
CM_COMPLEX_FUNCTION(acos)
CM_COMPLEX_FUNCTION(acosh)
CM_COMPLEX_FUNCTION(asin)
CM_COMPLEX_FUNCTION(asinh)
CM_COMPLEX_FUNCTION(atan)
CM_COMPLEX_FUNCTION(atanh)
CM_COMPLEX_FUNCTION(conj)
CM_COMPLEX_FUNCTION(cos)
CM_COMPLEX_FUNCTION(cosh)
CM_COMPLEX_FUNCTION(exp)
CM_COMPLEX_FUNCTION(log)
CM_COMPLEX_FUNCTION(log10)
CM_COMPLEX_FUNCTION(proj)
CM_COMPLEX_FUNCTION(sin)
CM_COMPLEX_FUNCTION(sinh)
CM_COMPLEX_FUNCTION(sqrt)
CM_COMPLEX_FUNCTION(tan)
CM_COMPLEX_FUNCTION(tanh)
#undef CM_COMPLEX_FUNCTION
template <class T> complex<T> polar(const T &length, const T &angle = T()) {
    return std::polar(length, angle);
}
using std::pow;
template <class A, class B>
detail::numbers<A, B> pow(const complex<A> &a, const complex<B> &b) {
    using T = decltype(A() + B());
    return std::pow(std::complex<T>(T(a.real()), T(a.imag())),
                    std::complex<T>(T(b.real()), T(b.imag())));
}
template <class A, class B> detail::numbers<A, B> pow(const complex<A> &a, const B &b) {
    using T = decltype(A() + B());
    return std::pow(std::complex<T>(T(a.real()), T(a.imag())), T(b));
}
template <class A, class B> detail::numbers<A, B> pow(const A &a, const complex<B> &b) {
    using T = decltype(A() + B());
    return std::pow(T(a), std::complex<T>(T(b.real()), T(b.imag())));
}

} // namespace thrust

#endif
