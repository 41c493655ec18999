// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CAPTURED_ERRORS_H
#define LOSSLESS_CAPTURED_ERRORS_H

#include <iostream>
#include <sstream>
#include <string>

namespace ns3
{

/// Keeps what is written to std::cerr while it lives.
class CapturedErrors
{
  public:
    CapturedErrors()
        : m_before(std::cerr.rdbuf(m_text.rdbuf()))
    {
    }

    ~CapturedErrors()
    {
        std::cerr.rdbuf(m_before);
    }

    CapturedErrors(const CapturedErrors&) = delete;
    CapturedErrors& operator=(const CapturedErrors&) = delete;

    /// @return what was written, from then on nothing
    std::string Take()
    {
        const std::string text = m_text.str();
        m_text.str("");
        return text;
    }

  private:
    std::ostringstream m_text;
    std::streambuf* m_before;
};

} // namespace ns3

#endif // LOSSLESS_CAPTURED_ERRORS_H
