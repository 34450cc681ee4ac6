// SPDX-License-Identifier: Apache-2.0
// `__managed__ T name`: a variable that kernels and the host name alike. It lies in unified shared
// memory; a variable of each device tells kernels where. Kernels may use only constants of a
// program besides, so that the object itself holds nothing, and its type tells one from another.
#ifndef CUDA_MORPH_SYCL_MANAGED_HPP
#define CUDA_MORPH_SYCL_MANAGED_HPP

#include <cuda_morph/sycl/memory.hpp>

namespace cm {
namespace detail {

// Name::initial is what the variable begins with, where there is such a thing; else all of it is
// 0.
template <class Name, class = void> struct initial_value {
    template <class T> static void put(T &) {}
};
template <class Name> struct initial_value<Name, decltype(void(Name::initial))> {
    template <class T> static void put(T &to) {
        static_assert(sizeof to == sizeof Name::initial, "of the variable's own type");
        std::memcpy(static_cast<void *>(&to), &Name::initial, sizeof to);
    }
};

template <class T, class Name> struct managed_place {
#ifdef CM_SYCL_GROUP_PER_THREAD
    static void tell(T *) {}
#else
    static inline sycl::ext::oneapi::experimental::device_global<T *> device_;

    static T &on_device() { return *device_.get(); }
    static void tell(T *place) {
        const int before = current_device();
        for (int device = 0; device < runtime::get().count(); device++) {
            set_current_device(device);
            submit(nullptr, [=](sycl::handler &h, const sycl::device &) {
                h.memcpy(device_, &place, sizeof place);
                return cmSuccess;
            });
            wait_for(nullptr);
        }
        set_current_device(before);
    }
#endif
    static T *made() {
        void *place = nullptr;
        if (cmMallocManaged(&place, sizeof(T))) std::abort(); // there is nobody to be told
        std::memset(place, 0, sizeof(T));
        initial_value<Name>::put(*static_cast<T *>(place));
        tell(static_cast<T *>(place));
        return static_cast<T *>(place);
    }
    static T *on_host() {
        (void)&known; // all of a program's are known before its main()
        static T *const place = made();
        return place;
    }
    static inline const bool known = (managed_variables().push_back([] { on_host(); }), true);
};

} // namespace detail

template <class T, class Name> struct managed_variable {
    T &get() const {
#ifdef __SYCL_DEVICE_ONLY__
        return detail::managed_place<T, Name>::on_device();
#else
        return *detail::managed_place<T, Name>::on_host();
#endif
    }
};

} // namespace cm

#endif
