// SPDX-License-Identifier: GPL-2.0-only
#include "python-terminate.h"

#include "python-support.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <iostream>
#include <streambuf>
#include <string>

namespace lossless_python
{

namespace
{

/// Passes what is written on, and keeps the last line: ns-3 says on std::cerr why it ends.
class LastLine : public std::streambuf
{
  public:
    /// @param next to where all is passed on
    explicit LastLine(std::streambuf* next)
        : m_next(next)
    {
    }

    /// @return the last line that has something in it, and says why
    std::string Get() const
    {
        return m_line.empty() || m_isOver ? m_before : m_line;
    }

  protected:
    int_type overflow(int_type character) override
    {
        Keep(traits_type::to_char_type(character));
        return m_next->sputc(traits_type::to_char_type(character));
    }

    std::streamsize xsputn(const char* text, std::streamsize count) override
    {
        for (std::streamsize i = 0; i < count; ++i)
        {
            Keep(text[i]);
        }
        return m_next->sputn(text, count);
    }

    int sync() override
    {
        return m_next->pubsync();
    }

  private:
    void Keep(char character)
    {
        constexpr std::size_t readable = 500;
        if (character == '\n' && !m_line.empty())
        {
            // With some versions of ns-3 these words, and where it was in C++, follow the reason.
            m_isOver = m_isOver || m_line == "NS_FATAL, terminating";
            if (!m_isOver)
            {
                m_before.swap(m_line);
            }
            m_line.clear();
        }
        else if (character != '\n' && m_line.size() < readable)
        {
            m_line += character;
        }
    }

    std::streambuf* m_next;
    std::string m_line;
    std::string m_before;
    bool m_isOver{false}; //!< what follows says nothing about the reason
};

LastLine* g_said = nullptr;
std::terminate_handler g_before = nullptr;

/// @return the folder of the package, which this library is in
std::string
PackageFolder()
{
    Dl_info info{};
    const bool isKnown = dladdr(reinterpret_cast<void*>(&PackageFolder), &info) && info.dli_fname;
    const std::string path = isKnown ? info.dli_fname : "";
    return path.substr(0, path.rfind('/') + 1);
}

/// @param frame a frame @return whether it is in a file of the package
bool
IsOfPackage(PyFrameObject* frame)
{
    const char* file = PyUnicode_AsUTF8(PyFrame_GetCode(frame)->co_filename);
    const std::string folder = PackageFolder();
    return file && !folder.empty() && std::string(file).rfind(folder, 0) == 0;
}

/// @return "file:line" of what Python executes in this thread, outside of the package if there is
/// such
std::string
PlaceInPython()
{
    if (!Py_IsInitialized() || !PyGILState_GetThisThreadState())
    {
        return "outside of Python";
    }
    const PyGILState_STATE lock = PyGILState_Ensure();
    std::string place = "outside of a function of Python";
    PyFrameObject* frame = PyThreadState_GetFrame(PyThreadState_Get());
    for (PyFrameObject* outer = frame; outer; outer = PyFrame_GetBack(outer))
    {
        if (!IsOfPackage(outer)) // the user's
        {
            frame = outer;
            break;
        }
    }
    if (frame)
    {
        PyCodeObject* code = PyFrame_GetCode(frame);
        const char* file = PyUnicode_AsUTF8(code->co_filename);
        place = std::string(file ? file : "?") + ":" + std::to_string(PyFrame_GetLineNumber(frame));
    }
    PyGILState_Release(lock);
    return place;
}

/// @return what has been thrown and not caught, or what ns-3 has said
std::string
Reason()
{
    try
    {
        if (std::current_exception())
        {
            std::rethrow_exception(std::current_exception());
        }
    }
    catch (const std::exception& error)
    {
        return error.what();
    }
    catch (...)
    {
        return "an exception that is none of the standard";
    }
    const std::string said = g_said->Get();
    return said.empty() ? "ns-3 has said nothing" : said;
}

void
Terminate()
{
    static bool again = false;
    if (!again)
    {
        again = true; // whatever goes wrong here
        const std::string line =
            "lossless: ns-3 ends the program at " + PlaceInPython() + ": " + Reason() + "\n";
        std::fputs(line.c_str(), stderr);
        std::fflush(stderr);
    }
    if (g_before)
    {
        g_before();
    }
    std::abort();
}

} // namespace

void
InstallTerminateHandler()
{
    if (!g_said)
    {
        // For good: std::cerr is used until the very end of the process.
        g_said = new LastLine(std::cerr.rdbuf());
        std::cerr.rdbuf(g_said);
        g_before = std::set_terminate(&Terminate);
    }
}

} // namespace lossless_python
