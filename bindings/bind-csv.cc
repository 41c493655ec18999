// SPDX-License-Identifier: GPL-2.0-only
#include "python-columns.h"

#include "ns3/table-list.h"

#include <charconv>
#include <fstream>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace lossless_python
{

namespace
{

/// @param line a line of a CSV file without quotes @return its fields
std::vector<std::string>
Fields(const std::string& line)
{
    std::vector<std::string> fields;
    std::size_t begin = 0;
    for (std::size_t end = line.find(','); end != std::string::npos; end = line.find(',', begin))
    {
        fields.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    fields.push_back(line.substr(begin));
    return fields;
}

/// @param texts a column @return it as numbers of a type, or nothing if one of them is none
template <typename T>
bool
ToNumbers(const std::vector<std::string>& texts, std::vector<T>& numbers)
{
    for (const auto& text : texts)
    {
        T number{};
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (error != std::errc() || stop != end || text.empty())
        {
            return false;
        }
        numbers.push_back(number);
    }
    return true;
}

/// @param texts a column @return whole numbers, else numbers, else text
py::object
ToColumn(const std::vector<std::string>& texts)
{
    std::vector<int64_t> whole;
    if (ToNumbers(texts, whole))
    {
        return py::cast(Column<int64_t>(std::move(whole)));
    }
    std::vector<double> real;
    if (ToNumbers(texts, real))
    {
        return py::cast(Column<double>(std::move(real)));
    }
    return py::cast(texts);
}

py::dict
ReadCsv(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line))
    {
        throw py::value_error(path + ": cannot be read; name a CSV file of a run");
    }
    const auto names = Fields(line);
    std::vector<std::vector<std::string>> columns(names.size());
    for (uint64_t number = 2; std::getline(file, line); ++number)
    {
        const auto fields = Fields(line);
        if (fields.size() != names.size())
        {
            throw py::value_error(path + ":" + std::to_string(number) + ": " +
                                  std::to_string(fields.size()) + " fields; there are " +
                                  std::to_string(names.size()) + " columns");
        }
        for (std::size_t i = 0; i < fields.size(); ++i)
        {
            columns[i].push_back(fields[i]);
        }
    }
    py::dict result;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        result[py::str(names[i])] = ToColumn(columns[i]);
    }
    return result;
}

/// @return unit and meaning of the columns of all tables, by name
py::dict
DescribeTables()
{
    py::dict tables;
    for (const ns3::TableSpec& table : ns3::ListTables())
    {
        py::dict columns;
        for (const ns3::ColumnSpec& column : table.columns)
        {
            columns[column.name] = py::make_tuple(column.unit, column.help);
        }
        tables[table.name] = columns;
    }
    return tables;
}

} // namespace

py::dict
ToColumns(const ns3::RowSink& rows)
{
    py::dict columns;
    for (std::size_t i = 0; i < rows.GetColumns().size(); ++i)
    {
        columns[rows.GetTable().columns[i].name] = std::visit(
            [](const auto& values) -> py::object {
                using T = typename std::decay_t<decltype(values)>::value_type;
                if constexpr (std::is_arithmetic_v<T>)
                {
                    return py::cast(Column<T>(values));
                }
                else
                {
                    return py::cast(values);
                }
            },
            rows.GetColumns()[i]);
    }
    return columns;
}

void
BindCsv(py::module_& m)
{
    BindColumn<int64_t>(m, "SignedColumn");
    m.def("describe_tables",
          &DescribeTables,
          "(unit, meaning) of each column of each table that a run may write, by name.");
    m.def("read_csv",
          &ReadCsv,
          py::arg("path"),
          "The columns of a CSV file of a run, by name: numbers where all are, else text.");
}

} // namespace lossless_python
