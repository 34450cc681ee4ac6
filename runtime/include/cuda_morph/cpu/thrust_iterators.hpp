// SPDX-License-Identifier: Apache-2.0
// Thrust: fancy iterators, and what algorithms make of an iterator before they use it: pointers
// into the device's memory become plain ones, also inside zip and transform iterators.
#ifndef CUDA_MORPH_CPU_THRUST_ITERATORS_HPP
#define CUDA_MORPH_CPU_THRUST_ITERATORS_HPP

namespace thrust {

using std::advance;
using std::distance;
template <class I> using iterator_value = std::iterator_traits<I>;
template <class I> struct iterator_value_of {
    using type = typename std::iterator_traits<I>::value_type;
};
template <class I> struct iterator_traits : std::iterator_traits<I> {};
template <class I> struct iterator_difference {
    using type = typename std::iterator_traits<I>::difference_type;
};
template <class I> struct iterator_reference {
    using type = typename std::iterator_traits<I>::reference;
};
template <class I> using reverse_iterator = std::reverse_iterator<I>;
template <class I> inline reverse_iterator<I> make_reverse_iterator(I i) {
    return reverse_iterator<I>(i);
}

namespace detail {

// Everything of a random access iterator D but dereference(), move(n) and from(other).
template <class D, class Value, class Reference> struct random_access {
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Value;
    using difference_type = ptrdiff_t;
    using pointer = void;
    using reference = Reference;
    const D &self() const { return static_cast<const D &>(*this); }
    D &self() { return static_cast<D &>(*this); }
    Reference operator*() const { return self().dereference(); }
    Reference operator[](ptrdiff_t n) const { return *(self() + n); }
    D &operator++() { return self().move(1), self(); }
    D &operator--() { return self().move(-1), self(); }
    D operator++(int) {
        const D old = self();
        self().move(1);
        return old;
    }
    D operator--(int) {
        const D old = self();
        self().move(-1);
        return old;
    }
    D &operator+=(ptrdiff_t n) { return self().move(n), self(); }
    D &operator-=(ptrdiff_t n) { return self().move(-n), self(); }
    friend D operator+(D i, ptrdiff_t n) { return i.move(n), i; }
    friend D operator+(ptrdiff_t n, D i) { return i.move(n), i; }
    friend D operator-(D i, ptrdiff_t n) { return i.move(-n), i; }
    friend ptrdiff_t operator-(const D &a, const D &b) { return a.from(b); }
    friend bool operator==(const D &a, const D &b) { return a.from(b) == 0; }
    friend bool operator!=(const D &a, const D &b) { return a.from(b) != 0; }
    friend bool operator<(const D &a, const D &b) { return a.from(b) < 0; }
    friend bool operator>(const D &a, const D &b) { return a.from(b) > 0; }
    friend bool operator<=(const D &a, const D &b) { return a.from(b) <= 0; }
    friend bool operator>=(const D &a, const D &b) { return a.from(b) >= 0; }
};
template <class I> using value_of = typename std::iterator_traits<I>::value_type;
template <class I> using reference_of = typename std::iterator_traits<I>::reference;

} // namespace detail

template <class T, class = void, class = void, class = void>
class counting_iterator : public detail::random_access<counting_iterator<T>, T, T> {
    T value_;

  public:
    counting_iterator() : value_() {}
    explicit counting_iterator(T value) : value_(value) {}
    T dereference() const { return value_; }
    void move(ptrdiff_t n) { value_ = static_cast<T>(value_ + static_cast<T>(n)); }
    ptrdiff_t from(const counting_iterator &o) const {
        return static_cast<ptrdiff_t>(value_) - static_cast<ptrdiff_t>(o.value_);
    }
};
template <class T> inline counting_iterator<T> make_counting_iterator(T value) {
    return counting_iterator<T>(value);
}

template <class T, class = void, class = void>
class constant_iterator : public detail::random_access<constant_iterator<T>, T, T> {
    T value_;
    ptrdiff_t at_;

  public:
    constant_iterator() : value_(), at_(0) {}
    constant_iterator(T value, ptrdiff_t at = 0) : value_(value), at_(at) {}
    T dereference() const { return value_; }
    void move(ptrdiff_t n) { at_ += n; }
    ptrdiff_t from(const constant_iterator &o) const { return at_ - o.at_; }
};
template <class T> inline constant_iterator<T> make_constant_iterator(T value, ptrdiff_t at = 0) {
    return constant_iterator<T>(value, at);
}

// What is written to it is lost.
struct discarded {
    template <class T> const discarded &operator=(const T &) const { return *this; }
};
template <class = void>
class discard_iterator : public detail::random_access<discard_iterator<>, discarded, discarded> {
    ptrdiff_t at_ = 0;

  public:
    explicit discard_iterator(ptrdiff_t at = 0) : at_(at) {}
    discarded dereference() const { return {}; }
    void move(ptrdiff_t n) { at_ += n; }
    ptrdiff_t from(const discard_iterator &o) const { return at_ - o.at_; }
};
inline discard_iterator<> make_discard_iterator(ptrdiff_t at = 0) {
    return discard_iterator<>(at);
}

namespace detail {
template <class F, class I>
using result_of = std::decay_t<decltype(std::declval<F &>()(*std::declval<I>()))>;
}
template <class F, class I, class = void, class = void>
class transform_iterator
    : public detail::random_access<transform_iterator<F, I>, detail::result_of<F, I>,
                                   detail::result_of<F, I>> {
    I base_;
    F function_;

  public:
    transform_iterator() = default;
    transform_iterator(I base, F function) : base_(base), function_(function) {}
    explicit transform_iterator(I base) : base_(base), function_() {}
    const I &base() const { return base_; }
    const F &functor() const { return function_; }
    detail::result_of<F, I> dereference() const {
        F f = function_;
        return f(*base_);
    }
    void move(ptrdiff_t n) { base_ += n; }
    ptrdiff_t from(const transform_iterator &o) const { return base_ - o.base_; }
};
template <class F, class I> inline transform_iterator<F, I> make_transform_iterator(I i, F f) {
    return transform_iterator<F, I>(i, f);
}

// What is written goes through a function.
template <class F, class I>
class transform_output_iterator
    : public detail::random_access<transform_output_iterator<F, I>, void, discarded> {
    I base_;
    F function_;

  public:
    struct proxy {
        I to;
        F function;
        template <class T> const proxy &operator=(const T &v) const {
            F f = function;
            *to = f(v);
            return *this;
        }
    };
    transform_output_iterator(I base, F function) : base_(base), function_(function) {}
    proxy operator*() const { return {base_, function_}; }
    proxy operator[](ptrdiff_t n) const { return {base_ + n, function_}; }
    void move(ptrdiff_t n) { base_ += n; }
    ptrdiff_t from(const transform_output_iterator &o) const { return base_ - o.base_; }
};
template <class F, class I>
inline transform_output_iterator<F, I> make_transform_output_iterator(I i, F f) {
    return transform_output_iterator<F, I>(i, f);
}

template <class E, class I>
class permutation_iterator
    : public detail::random_access<permutation_iterator<E, I>, detail::value_of<E>,
                                   detail::reference_of<E>> {
    E elements_;
    I index_;

  public:
    permutation_iterator() = default;
    permutation_iterator(E elements, I index) : elements_(elements), index_(index) {}
    const E &elements() const { return elements_; }
    const I &base() const { return index_; }
    detail::reference_of<E> dereference() const {
        const ptrdiff_t at = static_cast<ptrdiff_t>(*index_);
        return *(elements_ + at);
    }
    void move(ptrdiff_t n) { index_ += n; }
    ptrdiff_t from(const permutation_iterator &o) const { return index_ - o.index_; }
};
template <class E, class I>
inline permutation_iterator<E, I> make_permutation_iterator(E elements, I index) {
    return {elements, index};
}

template <class Tuple> class zip_iterator;
template <class... I>
class zip_iterator<std::tuple<I...>>
    : public detail::random_access<zip_iterator<std::tuple<I...>>,
                                   std::tuple<detail::value_of<I>...>,
                                   std::tuple<detail::reference_of<I>...>> {
    std::tuple<I...> parts_;

  public:
    zip_iterator() = default;
    zip_iterator(const std::tuple<I...> &parts) : parts_(parts) {}
    const std::tuple<I...> &get_iterator_tuple() const { return parts_; }
    std::tuple<detail::reference_of<I>...> dereference() const {
        return std::apply(
            [](const I &...i) { return std::tuple<detail::reference_of<I>...>(*i...); }, parts_);
    }
    void move(ptrdiff_t n) {
        std::apply([n](I &...i) { ((i += n), ...); }, parts_);
    }
    ptrdiff_t from(const zip_iterator &o) const {
        return std::get<0>(parts_) - std::get<0>(o.parts_);
    }
};
template <class... I>
inline zip_iterator<std::tuple<I...>> make_zip_iterator(const std::tuple<I...> &parts) {
    return {parts};
}
template <class I, class... J, class = typename std::iterator_traits<I>::iterator_category>
inline zip_iterator<std::tuple<I, J...>> make_zip_iterator(I first, J... others) {
    return {std::tuple<I, J...>(first, others...)};
}

namespace detail {

template <class I> inline I plain(I i) { return i; }
template <class T> inline T *plain(T *p) { return reachable(p), p; }
template <class T> inline T *plain(device_ptr<T> p) { return plain(p.get()); }
template <class I> inline auto plain(std::reverse_iterator<I> i);
template <class F, class I> inline auto plain(const transform_iterator<F, I> &i);
template <class E, class I> inline auto plain(const permutation_iterator<E, I> &i);
template <class F, class I> inline auto plain(const transform_output_iterator<F, I> &i);
template <class... I> inline auto plain(const zip_iterator<std::tuple<I...>> &i);

template <class I> inline auto plain(std::reverse_iterator<I> i) {
    return std::make_reverse_iterator(plain(i.base()));
}
template <class F, class I> inline auto plain(const transform_iterator<F, I> &i) {
    return transform_iterator<F, decltype(plain(i.base()))>(plain(i.base()), i.functor());
}
template <class E, class I> inline auto plain(const permutation_iterator<E, I> &i) {
    return make_permutation_iterator(plain(i.elements()), plain(i.base()));
}
template <class F, class I> inline auto plain(const transform_output_iterator<F, I> &i) {
    return i;
}
template <class... I> inline auto plain(const zip_iterator<std::tuple<I...>> &i) {
    return std::apply(
        [](const I &...part) { return make_zip_iterator(std::make_tuple(plain(part)...)); },
        i.get_iterator_tuple());
}

// Where the caller's iterator is after its plain one moved from `first` to `last`. Output
// iterators such as std::ostream_iterator know no distance; they are plain by themselves.
template <class I, class P> inline I moved(I i, const P &first, const P &last) {
    i += last - first;
    return i;
}
template <class I> inline I moved(const I &, const I &, const I &last) { return last; }

} // namespace detail

// A function of several arguments as one of a tuple.
template <class F> class zip_function {
    mutable F function_;

  public:
    zip_function(F f) : function_(f) {}
    template <class Tuple> decltype(auto) operator()(Tuple &&t) const {
        return std::apply(function_, std::forward<Tuple>(t));
    }
};
template <class F> inline zip_function<F> make_zip_function(F f) { return zip_function<F>(f); }

} // namespace thrust

#endif
