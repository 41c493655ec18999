// SPDX-License-Identifier: GPL-2.0-only

// How AddressSanitizer and its companions run in the test programs of the build `asan`. A sanitizer
// asks its program for options, so that nobody has to set environment variables.

#ifdef __SANITIZE_ADDRESS__

extern "C" const char*
__asan_default_options()
{
    return "detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1";
}

extern "C" const char*
__ubsan_default_options()
{
    return "print_stacktrace=1";
}

/// What ns-3 itself loses when an exception passes through it, as tests of errors see to:
/// - the event that throws, which the simulator has taken from its list and not yet forgotten;
/// - an object whose NotifyConstructionCompleted() throws, such as a Tagger with wrong tags, and
/// its
///   list of aggregated objects. An object that is lost elsewhere is still reported, without that.
extern "C" const char*
__lsan_default_suppressions()
{
    return "leak:MakeEvent\n"
           "leak:ns3::Tagger\n"
           "leak:ns3::Object::Object\n";
}

#endif
