// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RESULT_TABLE_H
#define LOSSLESS_RESULT_TABLE_H

#include "result-file.h"

#include "ns3/fabric-index.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// A column of a table: the header of the file, Python and doc/files.rst have it from here.
struct ColumnSpec
{
    /// What its cells are.
    enum Type : uint8_t
    {
        WHOLE, //!< integers
        REAL,  //!< numbers; those that are not a number are empty
        TEXT,  //!< text without commas, quotes and line ends
        QUOTED //!< text without quotes and line ends; the file has it in quotes
    };

    const char* name;           //!< such as "start_ns"
    const char* unit;           //!< such as "ns"; empty: none
    const char* help;           //!< what it says, a phrase without a full stop
    Type type{WHOLE};           //!< what its cells are
    const char* format{"%.9g"}; //!< of REAL: how the file has it, as in printf()
};

/// @ingroup lossless
/// A table: a file NAME.csv, and a table of Python.
struct TableSpec
{
    const char* name;                //!< "pause": pause.csv, results.table("pause")
    const char* help;                //!< what a line is
    std::vector<ColumnSpec> columns; //!< in order
    bool always{true};               //!< else there is a file only if RowSink::Start() says so

    /// @return names of the columns, with commas between
    std::string GetHeader() const;
};

/**
 * @ingroup lossless
 *
 * Takes the rows of a table: into a file as they come, or into memory, by column.
 *
 * @code
 * sink.Add(Simulator::Now().GetNanoSeconds(), node, "switch", port, cls);
 * @endcode
 */
class RowSink
{
  public:
    /// A column in memory.
    using Column =
        std::variant<std::vector<int64_t>, std::vector<double>, std::vector<std::string>>;

    /// Rows go to memory. @param table what they are
    explicit RowSink(const TableSpec& table);

    /// Rows go to a file. @param table what they are @param path the file
    RowSink(const TableSpec& table, const std::string& path);

    RowSink(const RowSink&) = delete;
    RowSink& operator=(const RowSink&) = delete;

    /// There is a file, though rows may not come. Add() does this, too. FabricError when the file
    /// cannot be written
    void Start();

    /**
     * A row. std::logic_error when the cells are not those of the table; the first row is checked.
     * FabricError when the disk is found full.
     * @param cells an integer, an index of a fabric, a floating point number, or text; as many as
     * there are columns
     */
    template <typename... Cells>
    void Add(const Cells&... cells)
    {
        if (!m_checked)
        {
            Check({TypeOf<Cells>()...});
        }
        (Put(cells), ...);
        EndRow();
    }

    /// The file is whole: write it to its end, FabricError when the disk is full.
    void Flush();

    /// Give the file its name; nothing if there is no file.
    void Commit();

    /// Remove the file. Rows that come later are dropped.
    void Discard();

    /// @return what the rows are
    const TableSpec& GetTable() const
    {
        return m_table;
    }

    /// @return the columns, of rows that went to memory
    const std::vector<Column>& GetColumns() const
    {
        return m_columns;
    }

  private:
    /// @return what a cell of a type of C++ is
    template <typename T>
    static constexpr ColumnSpec::Type TypeOf()
    {
        return std::is_floating_point_v<T>                         ? ColumnSpec::REAL
               : std::is_convertible_v<const T&, std::string_view> ? ColumnSpec::TEXT
                                                                   : ColumnSpec::WHOLE;
    }

    /// Compare the cells of the first row with the columns. @param types of the cells
    void Check(const std::vector<ColumnSpec::Type>& types);

    /// Append a cell to the row.
    template <typename T>
    void Put(const T& cell)
    {
        if constexpr (std::is_floating_point_v<T>)
        {
            PutReal(cell);
        }
        else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
        {
            PutSigned(cell);
        }
        else if constexpr (std::is_integral_v<T>)
        {
            PutUnsigned(cell);
        }
        else
        {
            PutText(cell);
        }
    }

    /// Append a number of a host, switch, node or link.
    template <typename Kind>
    void Put(const FabricIndex<Kind>& cell)
    {
        PutUnsigned(cell.Value());
    }

    void PutSigned(int64_t cell);
    void PutUnsigned(uint64_t cell);
    void PutReal(double cell);
    void PutText(std::string_view cell);
    void EndRow();

    TableSpec m_table;
    std::string m_path; //!< empty: memory
    std::unique_ptr<ResultFile> m_file;
    std::vector<Column> m_columns;
    std::string m_row;       //!< of a file
    std::size_t m_cell{0};   //!< index of the next
    bool m_checked{false};   //!< the first row has come
    bool m_committed{false}; //!< what comes now is too late
};

} // namespace ns3

#endif // LOSSLESS_RESULT_TABLE_H
