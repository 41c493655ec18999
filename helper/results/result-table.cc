// SPDX-License-Identifier: GPL-2.0-only
#include "result-table.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace ns3
{

std::string
TableSpec::GetHeader() const
{
    std::string header;
    for (const ColumnSpec& column : columns)
    {
        header += header.empty() ? "" : ",";
        header += column.name;
    }
    return header;
}

RowSink::RowSink(const TableSpec& table)
    : m_table(table)
{
    for (const ColumnSpec& column : table.columns)
    {
        switch (column.type)
        {
        case ColumnSpec::WHOLE:
            m_columns.emplace_back(std::vector<int64_t>());
            break;
        case ColumnSpec::REAL:
            m_columns.emplace_back(std::vector<double>());
            break;
        case ColumnSpec::TEXT:
        case ColumnSpec::QUOTED:
            m_columns.emplace_back(std::vector<std::string>());
            break;
        }
    }
}

RowSink::RowSink(const TableSpec& table, const std::string& path)
    : m_table(table),
      m_path(path)
{
    if (table.always)
    {
        Start();
    }
}

void
RowSink::Start()
{
    if (!m_file && !m_path.empty() && !m_committed)
    {
        m_file = std::make_unique<ResultFile>(m_path);
        m_file->Stream() << m_table.GetHeader() << '\n';
    }
}

void
RowSink::Check(const std::vector<ColumnSpec::Type>& types)
{
    bool isSame = types.size() == m_table.columns.size();
    for (std::size_t i = 0; isSame && i < types.size(); ++i)
    {
        const ColumnSpec::Type type = m_table.columns[i].type;
        isSame = types[i] == (type == ColumnSpec::QUOTED ? ColumnSpec::TEXT : type);
    }
    if (!isSame)
    {
        throw std::logic_error(std::string("a row of the table ") + m_table.name +
                               " has other cells than the table has columns");
    }
    m_checked = true;
    Start();
}

void
RowSink::PutSigned(int64_t cell)
{
    if (m_path.empty())
    {
        std::get<std::vector<int64_t>>(m_columns[m_cell++]).push_back(cell);
        return;
    }
    char text[24];
    m_row.append(text, std::to_chars(text, text + sizeof(text), cell).ptr) += ',';
    ++m_cell;
}

void
RowSink::PutUnsigned(uint64_t cell)
{
    if (m_path.empty())
    {
        PutSigned(static_cast<int64_t>(cell));
        return;
    }
    char text[24];
    m_row.append(text, std::to_chars(text, text + sizeof(text), cell).ptr) += ',';
    ++m_cell;
}

void
RowSink::PutReal(double cell)
{
    if (m_path.empty())
    {
        std::get<std::vector<double>>(m_columns[m_cell++]).push_back(cell);
        return;
    }
    if (!std::isnan(cell))
    {
        char text[64];
        std::snprintf(text, sizeof(text), m_table.columns[m_cell].format, cell);
        m_row += text;
    }
    m_row += ',';
    ++m_cell;
}

void
RowSink::PutText(std::string_view cell)
{
    if (m_path.empty())
    {
        std::get<std::vector<std::string>>(m_columns[m_cell++]).emplace_back(cell);
        return;
    }
    const char* quote = m_table.columns[m_cell++].type == ColumnSpec::QUOTED ? "\"" : "";
    m_row.append(quote).append(cell).append(quote) += ',';
}

void
RowSink::EndRow()
{
    m_cell = 0;
    if (m_file)
    {
        m_row.back() = '\n';
        m_file->Write(m_row); // throws: a run goes no further than its results
    }
    m_row.clear();
}

void
RowSink::Flush()
{
    if (m_file)
    {
        m_file->Flush();
    }
}

void
RowSink::Commit()
{
    if (m_file)
    {
        m_file->Commit();
        m_file.reset();
    }
    m_committed = true;
}

void
RowSink::Discard()
{
    m_file.reset();
    m_committed = true;
}

} // namespace ns3
