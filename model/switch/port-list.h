// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PORT_LIST_H
#define LOSSLESS_PORT_LIST_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup lossless
/// Ports of a switch that an attribute of an extension names, such as Ports.
class PortList
{
  public:
    /// @param text a number @param max its largest value @return the number, or none
    static std::optional<uint32_t> ToNumber(const std::string& text, uint32_t max);

    /// @param text numbers and ranges, such as "0-3,7" @param max largest number @return the
    /// numbers, sorted, or none if the text cannot be read
    static std::optional<std::vector<uint32_t>> ToNumbers(const std::string& text, uint32_t max);

    /// What a list without ports stands for.
    enum Empty : bool
    {
        NONE, //!< no port
        ALL   //!< all ports
    };

    /// @param attribute name of the attribute, for messages, such as "BorderPolicy: Ports"
    /// @param empty what an empty text stands for
    explicit PortList(const std::string& attribute, Empty empty = ALL);

    /// @param text ports and ranges, such as "0-3,7", or nothing. Throws std::invalid_argument if
    /// the text cannot be read
    void SetText(const std::string& text);

    /// @return the text
    const std::string& GetText() const
    {
        return m_text;
    }

    /// Refuse a port that a switch does not have: throw std::invalid_argument. @param ports of the
    /// switch
    void Require(uint32_t ports) const;

    /// @param port a port @return whether the port is one of the list
    bool Has(uint32_t port) const
    {
        return m_has.empty() ? m_empty == ALL : port < m_has.size() && m_has[port];
    }

  private:
    std::string m_attribute;
    Empty m_empty;
    std::string m_text;
    std::vector<bool> m_has; //!< by port, up to the last that is named; empty: as m_empty
};

} // namespace ns3

#endif // LOSSLESS_PORT_LIST_H
