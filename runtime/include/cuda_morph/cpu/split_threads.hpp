// SPDX-License-Identifier: Apache-2.0
// The vocabulary of split.hpp where one call of the kernel runs all threads of a block: CM_THREADS
// is a loop over them with its body in place, and a cm::each<T> has room for what each of them
// keeps between two such loops (MCUDA's fission, with selective replication of variables). A mask
// says who takes part where threads have left, or went another way. Bodies that may wait run in
// threads that can become fibers (cmKernelPart); everything else is a plain loop for the compiler
// to vectorise. What is split and where is the port's to decide (src/kernels): nothing here looks
// at barriers.
#ifndef CUDA_MORPH_CPU_SPLIT_THREADS_HPP
#define CUDA_MORPH_CPU_SPLIT_THREADS_HPP

#include <cuda_morph/cpu/split_collectives.hpp>
#include <cuda_morph/cpu/split_rows.hpp>
#include <cuda_morph/cpu/warp.hpp>
#include <memory>

namespace cm {

// A pointer that is restricted promises something of one thread's variable: not of an array's
// elements, of which compilers make no pointers either.
template <class T> struct unrestricted { using type = T; };
template <class T> struct unrestricted<T *__restrict__> { using type = T *; };

// Room for one T of each thread of the block, side by side.
template <class T> class slots {
    static constexpr size_t most = CM_MAX_THREADS_PER_BLOCK, size = most * sizeof(T);
    static constexpr bool small = size <= size_t(1) << 19;
    struct alignas(64) on_stack {
        unsigned char bytes[small ? size : 1];
        void *get() { return bytes; }
    };
    struct on_heap {
        void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
        void *get() {
            if (!memory) cmKernelTrap(cmErrorLaunchOutOfResources);
            return memory;
        }
        ~on_heap() { free(memory); }
    };
    std::conditional_t<small, on_stack, on_heap> place;

  public:
    using type = typename unrestricted<T>::type;
    CM_INLINE slots() = default;
    slots(const slots &) = delete;
    slots &operator=(const slots &) = delete;
    CM_INLINE type &at(size_t thread) { return static_cast<type *>(place.get())[thread]; }
};

// A variable of each thread of the block. The threads give it its value, or make it if it is of a
// class: nothing of the user's runs at the block's level, where no thread has a number.
template <class T, bool Plain = std::is_trivially_destructible<T>::value>
class each : public slots<T> {
  public:
    using slots<T>::at;
    CM_INLINE each() = default;
    CM_INLINE explicit each(T all_get) {
        for (unsigned i = 0; i < all(); i++) new (&at(i)) T(all_get);
    }
    each(each &&other) { // that a function returns
        for (unsigned i = 0; i < all(); i++) new (&at(i)) T(other.at(i));
    }

  private:
    static unsigned all() { return blockDim.x * blockDim.y * blockDim.z; }
};
template <class T> class each<T, false> {
    slots<object<T>> of;

    template <class F> static void for_all(const F &f) {
        unsigned i = 0;
        for (unsigned z = 0; z < blockDim.z; z++)
            for (unsigned y = 0; y < blockDim.y; y++)
                for (unsigned x = 0; x < blockDim.x; x++) {
                    threadIdx.set(x, y, z);
                    f(i++);
                }
    }

  public:
    using type = T;
    T &at(size_t thread) { return of.at(thread).value; }
    each() {
        for_all([&](unsigned i) { new (&of.at(i)) object<T>; });
    }
    explicit each(const T &all_get) : each() {
        for_all([&](unsigned i) { new (place(at(i))) T(all_get); });
    }
    each(each &&other) : each() {
        for_all([&](unsigned i) {
            if (other.of.at(i).made) new (place(at(i))) T(std::move(other.at(i)));
        });
    }
    ~each() {
        for_all([&](unsigned i) { of.at(i).~object(); });
    }
};
#define CM_OBJECT(name, ...) ::cm::each<__VA_ARGS__> name

namespace detail {

// A bool as wide as the numbers beside it: a loop that fills a row of 16 of them is vectorised.
struct wide_bool {
    unsigned value;
    CM_INLINE operator bool() const { return value; }
    CM_INLINE wide_bool &operator=(bool a) { return value = a, *this; }
};

} // namespace detail
using mask = each<detail::wide_bool>; // which threads go on

namespace detail {

// Stands where threadIdx would be read once for the whole block: that is an error of the port.
// Compile with -DCUDA_MORPH_FIBERS, and report it.
struct no_thread {};

template <class T>
using value_of = std::conditional_t<std::is_same<std::decay_t<T>, coordinate>::value, unsigned,
                                    std::decay_t<T>>;

} // namespace detail
inline unsigned value(detail::coordinate of) { return of; }
namespace detail {

// Who was not there when the loop over the threads began that runs now; nullptr: all were. Threads
// that leave in it are there for the others until it ends, as they all are in the same place.
struct present_threads {
    const unsigned char *missing = nullptr;
    static constexpr bool can_leave = true;
};

// The block, in a kernel that runs all of its threads by itself.
struct whole_block : present_threads {
    static constexpr bool can_leave = false;
    const unsigned nx = blockDim.x, ny = blockDim.y, nz = blockDim.z;
    static constexpr unsigned first_y = 0, first_z = 0;
    whole_block() { is_whole = 1; }
    ~whole_block() {
        held = 1; // the caller's loop over the threads is done
        is_whole = 0;
    }
    whole_block(const whole_block &) = delete;
    static constexpr bool gone(unsigned) { return false; }
    static constexpr bool all_here() { return true; }
    static constexpr bool all_left() { return false; }
    static constexpr const unsigned char *leavers() { return nullptr; }
};

// One row of its threads, in a kernel that runs them one after the other.
struct block_row : present_threads {
    static constexpr bool can_leave = false;
    const unsigned nx = blockDim.x, first_y, first_z;
    static constexpr unsigned ny = 1, nz = 1;
    block_row(unsigned y, unsigned z) : first_y(y), first_z(z) {}
    static constexpr bool gone(unsigned) { return false; }
    static constexpr bool all_here() { return true; }
    static constexpr bool all_left() { return false; }
};

// The same where threads return before others do.
template <class Block> struct leaving : Block {
    using Block::Block;
    static constexpr bool can_leave = true;
    unsigned left = 0;
    unsigned char has_left[CM_MAX_THREADS_PER_BLOCK] = {};
    bool gone(unsigned thread) const { return has_left[thread]; }
    bool all_here() const { return !left; }
    const unsigned char *leavers() const { return left ? has_left : nullptr; }
    bool all_left() const { return left == this->nx * this->ny * this->nz; }
    void leave(unsigned thread) { has_left[thread] = 1, left++; }
};
using leaving_block = leaving<whole_block>;
using leaving_row = leaving<block_row>;

template <class Row> struct rows {
    template <class Body> CM_INLINE void operator->*(const Body &body) const {
        const whole_block block;
        for (unsigned z = 0; z < block.nz; z++)
            for (unsigned y = 0; y < block.ny; y++) {
                Row row(y, z);
                body(row);
            }
    }
};

// Those of its threads that a mask says.
template <class Block> struct where : present_threads {
    Block &all;
    cm::mask &mask;
    const unsigned nx = all.nx, ny = all.ny, nz = all.nz;
    const unsigned first_y = all.first_y, first_z = all.first_z;
    unsigned char others[CM_MAX_THREADS_PER_BLOCK];

    where(Block &block, cm::mask &which) : all(block), mask(which) {}
    bool gone(unsigned thread) const { return all.gone(thread) || !mask.at(thread); }
    static constexpr bool all_here() { return false; }
    bool any() const {
        for (unsigned i = 0; i < nx * ny * nz; i++)
            if (!gone(i)) return true;
        return false;
    }
    const unsigned char *leavers() {
        for (unsigned i = 0; i < nx * ny * nz; i++) others[i] = gone(i);
        return others;
    }
    bool all_left() const { return all.all_left(); }
    void leave(unsigned thread) { all.leave(thread); }
};

// The same where a condition holds: the mask stays what it is. Mostly all threads are there, and
// their loops are as plain as the block's.
template <class Block> struct where_true : where<Block> {
    bool full = false;

    where_true(Block &block, cm::mask &which) : where<Block>(block, which) {
        const unsigned size = this->nx * this->ny * this->nz;
        unsigned n = 0;
        if (!block.all_here()) return;
        for (unsigned i = 0; i < size; i++) n += which.at(i);
        full = n == size;
    }
    bool all_here() const { return full && this->all.all_here(); }
    bool any() const { return full || where<Block>::any(); }
};

// The block, in a function that all of its threads that are here have called.
template <class Block> struct function_block : present_threads {
    Block &all;
    const unsigned nx = all.nx, ny = all.ny, nz = all.nz;
    const unsigned first_y = all.first_y, first_z = all.first_z;
    unsigned left = 0;
    unsigned char has_left[CM_MAX_THREADS_PER_BLOCK] = {}, others[CM_MAX_THREADS_PER_BLOCK];

    explicit function_block(Block &block) : all(block) {}
    bool gone(unsigned thread) const { return has_left[thread] || all.gone(thread); }
    bool all_here() const { return !left && all.all_here(); }
    const unsigned char *leavers() {
        for (unsigned i = 0; i < nx * ny * nz; i++) others[i] = gone(i);
        return others;
    }
    bool all_left() const {
        for (unsigned i = 0; i < nx * ny * nz; i++)
            if (!gone(i)) return false;
        return true;
    }
    void leave(unsigned thread) { has_left[thread] = 1, left++; }
};

// The loop over the threads, with references to what each has for itself.
enum class body_kind { plain, telling, conditional };
template <body_kind Kind, class Block, class... Own> struct phase {
    Block &block;
    std::tuple<Own &...> own;
    unsigned most = CM_MAX_THREADS_PER_BLOCK;

    template <class Body> CM_INLINE void operator->*(const Body &body) const {
        run(body, std::index_sequence_for<Own...>());
    }
    template <class Body, size_t... I>
    CM_INLINE void run(const Body &body, std::index_sequence<I...>) const {
        unsigned char missing[CM_MAX_THREADS_PER_BLOCK];
        block.missing = block.all_here() ? nullptr : missing;
        for (unsigned t = 0; block.missing && t < block.nx * block.ny * block.nz; t++)
            missing[t] = block.gone(t);
        const auto one = [&](loop_index3 i, size_t t, auto... how)
                             CM_INLINE { body(i, t, how..., std::get<I>(own).at(t)...); };
        in_loop = 1;
        if constexpr (Kind == body_kind::conditional)
            run_loop(conditional<decltype(one)>{one});
        else
            run_loop(one);
        in_loop = 0;
    }
    template <class One> CM_INLINE void run_loop(const One &one) const {
        if (now)
            checked_loop(block, most, one);
        else if (Kind == body_kind::telling)
            loop<who::telling>(block, most, one);
        else if (!block.missing)
            loop<who::all>(block, most, one);
        else
            loop<who::some>(block, most, one);
    }
};

// The same for a loop that deals elements out to the threads, `width` further on in each step,
// which is more than lies between two threads: once one of them has none left, that step is the
// last.
template <class Block, class... Own> struct stepping_phase {
    Block &block;
    std::tuple<Own &...> own;

    template <class Body> CM_INLINE void operator->*(const Body &body) const {
        unsigned all = 1;
        for (size_t step = 0; all && !block.all_left(); step++) {
            unsigned go = 1;
            phase<body_kind::plain, Block, Own...>{block, own}->*
                [&](loop_index3 i, size_t t, auto &...mine)
                    CM_INLINE { body(i, t, step, go, true, mine...); };
            all = go;
        }
    }
};

// Where a thread begins in a step, as a number of the counter's type. One of 32 bits is a sum of
// int, which counts on up: see coordinate.
template <class First, class Width> struct first_of_step {
    First first;
    Width width;
    size_t step;
    template <class T> CM_INLINE operator T() const {
        if constexpr (std::is_integral<T>::value && sizeof(T) == sizeof(int))
            return T(int(first) + int(unsigned(width) * unsigned(step)));
        else
            return T(first) + T(width) * T(step);
    }
};
template <class First, class Width>
CM_INLINE inline first_of_step<First, Width> step_to(First first, Width width, size_t step) {
    return {first, width, step};
}
CM_INLINE inline bool goes(bool condition, unsigned &all) {
    all &= condition;
    return condition;
}

// The same where functions are called that may wait: the threads can become fibers.
template <class Block, class... Own> struct calling_phase {
    Block &block;
    std::tuple<Own &...> own;

    template <class Body> struct part {
        const calling_phase &phase;
        const Body &body;
        template <size_t... I> CM_INLINE void one(unsigned t, std::index_sequence<I...>) const {
            body(loop_index3{{threadIdx.x}, {threadIdx.y}, {threadIdx.z}}, t,
                 std::get<I>(phase.own).at(t)...);
        }
        static void threads(const void *self, const cmKernelBlock *b, unsigned first) {
            const part *const p = static_cast<const part *>(self);
            const auto &block = p->phase.block;
            if (b->now)
                threads_from<true>(b, first, [&] {
                    if (!block.missing || !block.missing[rank()])
                        p->one(rank(), std::index_sequence_for<Own...>());
                });
            else
                threads_from<false>(b, first, [&] {
                    if (!block.missing || !block.missing[rank()])
                        p->one(rank(), std::index_sequence_for<Own...>());
                });
        }
    };
    template <class Body> void operator->*(const Body &body) const {
        const part<Body> p{*this, body};
        unsigned char missing[CM_MAX_THREADS_PER_BLOCK];
        block.missing = block.leavers();
        if (block.missing)
            block.missing = static_cast<unsigned char *>(
                memcpy(missing, block.missing, block.nx * block.ny * block.nz));
        is_whole = 0; // each thread of it may wait by itself
        cmKernelPart(part<Body>::threads, &p, block.missing);
        is_whole = 1;
    }
};

// The same, for a value of each thread.
template <body_kind Kind, class Block, class... Own> struct values_phase {
    phase<Kind, Block, Own...> in;
    template <class Body> CM_INLINE auto operator->*(const Body &body) const {
        using value = value_of<decltype(body(loop_index3{}, 0u, std::declval<Own &>().at(0)...))>;
        each<value> made;
        in->*[&](loop_index3 i, size_t t, auto &...own)
                 CM_INLINE { new (place(made.at(t))) value(body(i, t, own...)); };
        return made;
    }
};

// A call of a function that waits. Its second form is called where it has one.
template <class F, class Block, class... Own> struct call {
    const F &f;
    Block &block;
    std::tuple<Own &...> own;

    template <class Body> auto operator->*(const Body &body) const {
        using tuple = decltype(body(loop_index3{}, 0u, std::declval<Own &>().at(0)...));
        static_assert(std::is_trivially_destructible<tuple>::value,
                      "compile this with -DCUDA_MORPH_FIBERS, and report it");
        slots<tuple> given;
        phase<body_kind::telling, Block, Own...>{block, own}->*
            [&](loop_index3 i, size_t t, auto &...o) {
                new (&given.at(t)) tuple(body(i, t, o...));
            };
        return answer(given, std::make_index_sequence<std::tuple_size<tuple>::value>());
    }
    template <class Given, size_t... I>
    auto answer(Given &given, std::index_sequence<I...>) const {
        const unsigned all = block.nx * block.ny * block.nz;
        unsigned first = 0;
        while (first < all && block.gone(first)) first++;
        if constexpr (std::is_invocable<F, Block &, Given &,
                                        decltype((std::get<I>(given.at(0))))...>::value) {
            using result = decltype(f(block, given, std::get<I>(given.at(0))...));
            if (first == all) return result(); // nobody is here
            return f(block, given, std::get<I>(given.at(first))...);
        } else {
            using result = std::decay_t<decltype(f(std::get<I>(given.at(0))...))>;
            if constexpr (std::is_void<result>::value) {
                calling_phase<Block>{block, {}}->*
                    [&](loop_index3, unsigned t) { f(std::get<I>(given.at(t))...); };
            } else {
                each<result> made;
                calling_phase<Block>{block, {}}->*[&](loop_index3, unsigned t) {
                    new (place(made.at(t))) result(f(std::get<I>(given.at(t))...));
                };
                return made;
            }
        }
    }
};
template <class F> struct callee {
    F f;
    template <class Block, class... Own>
    call<F, Block, Own...> on(Block &block, Own &...own) const {
        return {f, block, std::tuple<Own &...>(own...)};
    }
};
template <class F> callee<F> callee_of(F f) { return {f}; }

// What a thread returns from such a form.
template <class T> struct as_it_is { using type = T; };
template <class T> CM_INLINE inline void give(T &to, typename as_it_is<T>::type from) {
    new (place(to)) T(std::move(from));
}

// A parameter of such a form: what each thread gave for it, or the default.
template <size_t I> struct nth {};
template <class T> class argument : public slots<std::remove_const_t<T>> {
    static_assert(std::is_trivially_destructible<T>::value,
                  "compile this with -DCUDA_MORPH_FIBERS, and report it");

  public:
    template <size_t I, class Block, class Given, class Other>
    argument(nth<I>, const Block &block, Given &given, const Other &otherwise) {
        using value = std::remove_const_t<T>;
        for (unsigned t = 0; t < block.nx * block.ny * block.nz; t++) {
            if (block.gone(t)) continue;
            if constexpr (I < std::tuple_size<typename Given::type>::value)
                new (&this->at(t)) value(std::get<I>(given.at(t)));
            else
                new (&this->at(t)) value(otherwise);
        }
    }
};
template <class T> class argument<T &> {
    slots<T *> to;
    std::unique_ptr<std::remove_const_t<T>[]> made; // of what has another type

  public:
    using type = T;
    CM_INLINE T &at(size_t thread) { return *to.at(thread); }
    template <size_t I, class Block, class Given, class Other>
    argument(nth<I>, const Block &block, Given &given, Other &otherwise) {
        const unsigned all = block.nx * block.ny * block.nz;
        if constexpr (I < std::tuple_size<typename Given::type>::value) {
            using from = std::remove_reference_t<decltype(std::get<I>(given.at(0)))>;
            constexpr bool same = std::is_convertible<from *, T *>::value;
            if constexpr (!same) made.reset(new std::remove_const_t<T>[all]);
            for (unsigned t = 0; t < all; t++) {
                if (block.gone(t)) continue;
                if constexpr (same)
                    to.at(t) = &std::get<I>(given.at(t));
                else
                    made[t] = std::get<I>(given.at(t)), to.at(t) = &made[t];
            }
        } else {
            for (unsigned t = 0; t < all; t++) to.at(t) = &otherwise;
        }
    }
};

template <class Block, class... Own>
CM_INLINE inline phase<body_kind::plain, Block, Own...> threads(Block &block, Own &...own) {
    return {block, std::tuple<Own &...>(own...)};
}
struct first_threads {
    unsigned most;
    template <class Block, class... Own>
    CM_INLINE phase<body_kind::plain, Block, Own...> on(Block &block, Own &...own) const {
        return {block, std::tuple<Own &...>(own...), most};
    }
};
// As many as there are numbers from 0 on that are less than another one, if they are compared as
// a Column and that are.
template <class Column, class T> CM_INLINE inline first_threads below(T bound) {
    using common = decltype(Column() + bound);
    const common end = static_cast<common>(bound);
    if (!(end > common(0))) return {0};
    if (end >= common(CM_MAX_THREADS_PER_BLOCK)) return {CM_MAX_THREADS_PER_BLOCK};
    const unsigned whole = static_cast<unsigned>(end);
    return {whole + (static_cast<common>(whole) < end)};
}
template <class Block, class... Own>
CM_INLINE inline phase<body_kind::conditional, Block, Own...> threads_mostly(Block &block,
                                                                             Own &...own) {
    return {block, std::tuple<Own &...>(own...)};
}
template <class Block, class... Own>
CM_INLINE inline stepping_phase<Block, Own...> steps(Block &block, Own &...own) {
    return {block, std::tuple<Own &...>(own...)};
}
template <class Block, class... Own>
CM_INLINE inline phase<body_kind::telling, Block, Own...> asking_threads(Block &block,
                                                                         Own &...own) {
    return {block, std::tuple<Own &...>(own...)};
}
template <class Block, class... Own>
CM_INLINE inline calling_phase<Block, Own...> calling_threads(Block &block, Own &...own) {
    return {block, std::tuple<Own &...>(own...)};
}
template <class Block, class... Own>
CM_INLINE inline values_phase<body_kind::plain, Block, Own...> values(Block &block, Own &...own) {
    return {{block, std::tuple<Own &...>(own...)}};
}
template <class Block, class... Own>
CM_INLINE inline values_phase<body_kind::telling, Block, Own...> asking_values(Block &block,
                                                                               Own &...own) {
    return {{block, std::tuple<Own &...>(own...)}};
}

} // namespace detail
} // namespace cm

// CM_OWN(threadIdx, a, b): , a, b
// CM_PARAMETERS(threadIdx, a, b): what the loop's body gets, with a reference for each name.
// A macro that names itself is not expanded again until the text is looked at once more.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" // __VA_OPT__ is C++20's, and has long been there
#define CM_AGAIN(...) CM_AGAIN_3(CM_AGAIN_3(CM_AGAIN_3(__VA_ARGS__)))
#define CM_AGAIN_3(...) CM_AGAIN_2(CM_AGAIN_2(CM_AGAIN_2(CM_AGAIN_2(__VA_ARGS__))))
#define CM_AGAIN_2(...) CM_AGAIN_1(CM_AGAIN_1(CM_AGAIN_1(CM_AGAIN_1(__VA_ARGS__))))
#define CM_AGAIN_1(...) __VA_ARGS__
#define CM_NOTHING ()
#define CM_OWN_NEXT(a, ...) , a __VA_OPT__(CM_OWN_AGAIN CM_NOTHING(__VA_ARGS__))
#define CM_OWN_AGAIN() CM_OWN_NEXT
#define CM_OWN(i, ...) __VA_OPT__(CM_AGAIN(CM_OWN_NEXT(__VA_ARGS__)))
#define CM_PARAMETER_NEXT(a, ...)                                                                 \
    , typename decltype(a)::type &a __VA_OPT__(CM_PARAMETER_AGAIN CM_NOTHING(__VA_ARGS__))
#define CM_PARAMETER_AGAIN() CM_PARAMETER_NEXT
#define CM_PARAMETERS(i, ...) __VA_OPT__(CM_AGAIN(CM_PARAMETER_NEXT(__VA_ARGS__)))
#pragma GCC diagnostic pop
#define CM_FIRST_OF(i, ...) i
#define CM_BODY(...)                                                                              \
    ->*[&]([[maybe_unused]] const ::cm::detail::loop_index3 CM_FIRST_OF(__VA_ARGS__, 0),          \
           [[maybe_unused]] const unsigned cm_thread CM_PARAMETERS(__VA_ARGS__)) CM_INLINE
#define CM_LOOP(kind, ...) ::cm::detail::kind(cm_block CM_OWN(__VA_ARGS__)) CM_BODY(__VA_ARGS__)

#define CM_THREADS(...) CM_LOOP(threads, __VA_ARGS__)
#define CM_THREADS_MOSTLY(...)                                                                    \
    ::cm::detail::threads_mostly(cm_block CM_OWN(__VA_ARGS__))                                    \
            ->*[&]([[maybe_unused]] const ::cm::detail::loop_index3 CM_FIRST_OF(__VA_ARGS__, 0),  \
                   [[maybe_unused]] const unsigned cm_thread,                                     \
                   [[maybe_unused]] auto cm_how CM_PARAMETERS(__VA_ARGS__)) CM_INLINE
#define CM_MOSTLY(...) cm_how.mostly(__VA_ARGS__)
#define CM_RARELY(...) cm_how.rarely(__VA_ARGS__)
#define CM_THREADS_BELOW(bound, ...) ::cm::detail::below<__VA_ARGS__>(bound) CM_CALL_FOR
#define CM_BELOW(condition) true
#define CM_STEPS(...)                                                                             \
    ::cm::detail::steps(cm_block CM_OWN(__VA_ARGS__))                                             \
            ->*[&]([[maybe_unused]] const ::cm::detail::loop_index3 CM_FIRST_OF(__VA_ARGS__, 0),  \
                   [[maybe_unused]] const unsigned cm_thread, const size_t cm_step,               \
                   unsigned &cm_all, bool cm_goes CM_PARAMETERS(__VA_ARGS__)) CM_INLINE
#define CM_FIRST(value, width) ::cm::detail::step_to(value, width, cm_step)
#define CM_GOES(condition) cm_goes && ::cm::detail::goes(condition, cm_all)
#define CM_NEXT(i, width) cm_goes = false
#define CM_ASKING_THREADS(...) CM_LOOP(asking_threads, __VA_ARGS__)
#define CM_CALLING_THREADS(...) CM_LOOP(calling_threads, __VA_ARGS__)
#define CM_VALUES(...) CM_LOOP(values, __VA_ARGS__)
#define CM_ASKING_VALUES(...) CM_LOOP(asking_values, __VA_ARGS__)
#define CM_CALL_FOR(...) .on(cm_block CM_OWN(__VA_ARGS__)) CM_BODY(__VA_ARGS__)
#define CM_EACH_THREAD                                                                            \
    {                                                                                             \
        CM_BLOCK;                                                                                 \
        CM_THREADS(threadIdx)
#define CM_EACH_THREAD_MOSTLY                                                                     \
    {                                                                                             \
        CM_BLOCK;                                                                                 \
        CM_THREADS_MOSTLY(threadIdx)
#define CM_END                                                                                    \
    ;                                                                                             \
    }
#define CM_NO_THREAD                                                                              \
    constexpr ::cm::detail::no_thread threadIdx{};                                                \
    (void)threadIdx
#define CM_BLOCK_AS(kind)                                                                         \
    ::cm::detail::kind cm_block;                                                                  \
    CM_NO_THREAD
#define CM_ROWS_AS(kind)                                                                          \
    {                                                                                             \
        CM_NO_THREAD;                                                                             \
        ::cm::detail::rows<::cm::detail::kind>()->*[&]([[maybe_unused]] auto &cm_block) CM_INLINE
#define CM_EACH_ROW CM_ROWS_AS(block_row)
#define CM_EACH_LEAVING_ROW CM_ROWS_AS(leaving_row)
#define CM_BLOCK CM_BLOCK_AS(whole_block)
#define CM_LEAVING_BLOCK CM_BLOCK_AS(leaving_block)
#define CM_BARRIER(...)                                                                           \
    do {                                                                                          \
        ::cm::detail::passed_barrier();                                                           \
    } while (0)
#define CM_FUNCTION                                                                               \
    ::cm::detail::function_block<cm_Block> cm_block(cm_outer);                                    \
    CM_NO_THREAD, (void)cm_given
#define CM_ARGUMENT(name, number, ...)                                                            \
    ::cm::detail::argument<__VA_ARGS__> name(::cm::detail::nth<number>(), cm_block, cm_given,     \
                                             cm_arg_##name)
#define CM_RETURN(...) return ::cm::detail::give(cm_result, __VA_ARGS__), cm_block.leave(cm_thread)
#define CM_ALL_RETURNED                                                                           \
    if (cm_block.all_left()) return cm_result
#define CM_WHERE(mask)                                                                            \
    ::cm::detail::where_true cm_inner(cm_block, mask);                                            \
    cm_inner.any()
#define CM_WHILE(mask)                                                                            \
    ::cm::detail::where cm_inner(cm_block, mask);                                                 \
    cm_inner.any();
#define CM_HERE [[maybe_unused]] auto &cm_block = cm_inner
#define CM_BREAK(mask) return void(mask = false)
#define CM_LEAVE return cm_block.leave(cm_thread)
#define CM_LEAVE_RARELY return cm_how.leave(cm_block, cm_thread)
#define CM_ALL_LEFT                                                                               \
    if (cm_block.all_left()) return

#endif
