// What all bindings share: NumPy's arrays lent to the engine, the GIL released, Ctrl-C heard.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "progress.hpp"

namespace nb = nanobind;

namespace secondlook {

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Masks = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T, class V>
nb::object to_numpy(std::vector<V>&& values) {
    static_assert(sizeof(T) == sizeof(V), "the same bits under another name");
    auto* kept = new std::vector<V>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<V>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(reinterpret_cast<T*>(kept->data()), {kept->size()}, owner));
}

template <class T, class Array>
std::vector<T> to_vector(const Array& array) {
    return std::vector<T>(array.data(), array.data() + array.size());
}

inline bool interrupted() {
    nb::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
}

inline void prepare(Control& control, int threads, double max_tests) {
    control.threads = threads;
    control.max_tests = max_tests;
    control.interrupted = interrupted;
}

// Runs work without the GIL; a Ctrl-C heard meanwhile is raised.
template <class Work>
auto without_gil(Work work) {
    nb::gil_scoped_release release;
    return work();
}

inline void raise_if_interrupted(Outcome outcome) {
    if (outcome == Outcome::interrupted) throw nb::python_error();
}


void bind_dags(nb::module_& m);  // bindings_dags.cpp

}  // namespace secondlook
