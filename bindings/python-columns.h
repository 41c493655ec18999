// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PYTHON_COLUMNS_H
#define LOSSLESS_PYTHON_COLUMNS_H

#include "python-support.h"

#include "ns3/result-table.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lossless_python
{

/// Numbers that Python reads without copying them one by one: memoryview(column),
/// numpy.asarray(column), list(column). They do not change.
template <typename T>
class Column
{
  public:
    /// @param values the numbers
    explicit Column(std::vector<T> values)
        : m_values(std::move(values))
    {
    }

    /// @return the numbers
    const std::vector<T>& Get() const
    {
        return m_values;
    }

  private:
    std::vector<T> m_values;
};

/// Make a column known to Python. @param name of its class there
template <typename T>
void
BindColumn(py::module_& m, const char* name)
{
    py::class_<Column<T>>(m,
                          name,
                          py::buffer_protocol(),
                          "Numbers, read-only: list(), memoryview() or numpy.asarray() of it.")
        .def_buffer([](Column<T>& column) {
            return py::buffer_info(column.Get().data(),
                                   static_cast<py::ssize_t>(column.Get().size()),
                                   true);
        })
        .def("__len__", [](const Column<T>& column) { return column.Get().size(); })
        .def("__getitem__",
             [](const Column<T>& column, py::ssize_t i) {
                 const auto size = static_cast<py::ssize_t>(column.Get().size());
                 if (i < -size || i >= size)
                 {
                     throw py::index_error("index " + std::to_string(i) + "; there are " +
                                           std::to_string(size));
                 }
                 return column.Get()[static_cast<std::size_t>(i < 0 ? i + size : i)];
             })
        .def("__getitem__",
             [](const Column<T>& column, const py::slice& which) {
                 std::size_t start = 0;
                 std::size_t stop = 0;
                 std::size_t step = 0;
                 std::size_t count = 0;
                 if (!which.compute(column.Get().size(), &start, &stop, &step, &count))
                 {
                     throw py::error_already_set();
                 }
                 std::vector<T> values;
                 values.reserve(count);
                 for (std::size_t i = 0; i < count; ++i, start += step)
                 {
                     values.push_back(column.Get()[start]);
                 }
                 return Column<T>(std::move(values));
             })
        .def(
            "__iter__",
            [](const Column<T>& column) {
                return py::make_iterator(column.Get().begin(), column.Get().end());
            },
            py::keep_alive<0, 1>())
        .def(py::pickle([](const Column<T>& column) { return column.Get(); },
                        [](const std::vector<T>& values) { return Column<T>(values); }))
        .def("__repr__", [](const Column<T>& column) {
            return "<column of " + std::to_string(column.Get().size()) + ">";
        });
}

/// @param rows rows in memory @return them by column
py::dict ToColumns(const ns3::RowSink& rows);

} // namespace lossless_python

#endif // LOSSLESS_PYTHON_COLUMNS_H
