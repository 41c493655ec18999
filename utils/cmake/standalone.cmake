# SPDX-License-Identifier: GPL-2.0-only
#
# The stand-alone build: finds an installed ns-3, and defines the two ns-3 commands that the lists
# of this module use, build_lib and build_lib_example, as far as it uses them.
#
# Build types
#   Release (default)  -O3, link-time optimisation; no NS_ASSERT and no NS_LOG in our code
#   Debug              -Og, NS_ASSERT, NS_LOG, and LOSSLESS_CHECKS=1: our invariants are checked
#                      after every event
# LOSSLESS_CHECKS must not change the layout of a class.

include(CheckIPOSupported)
include(GNUInstallDirs)
enable_testing()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g" CACHE STRING "Flags of a debug build")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

option(LOSSLESS_FUZZ "Link the fuzzers with libFuzzer, which clang has" OFF)
option(LOSSLESS_LTO "Link-time optimisation of the model in release builds" ON)

find_program(LOSSLESS_CCACHE ccache)
mark_as_advanced(LOSSLESS_CCACHE)
if(LOSSLESS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LOSSLESS_CCACHE})
endif()

# The installed ns-3.
find_package(ns3 3.37 REQUIRED)
include(utils/cmake/ns3-targets.cmake)

# ns-3's headers ask for a newer language in later releases, and do not say so to CMake.
if(NOT CMAKE_CXX_STANDARD)
  if(ns3_VERSION VERSION_LESS 3.41)
    set(CMAKE_CXX_STANDARD 17)
  elseif(ns3_VERSION VERSION_LESS 3.46)
    set(CMAKE_CXX_STANDARD 20)
  else()
    set(CMAKE_CXX_STANDARD 23)
  endif()
endif()

# For our own sources only: ns-3's headers come as system headers, which are not warned about.
# No interposition: calls within the library may be inlined and need no symbol table.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -fno-semantic-interposition)
add_compile_definitions(
  "$<$<CONFIG:Debug>:NS3_ASSERT_ENABLE;NS3_LOG_ENABLE;LOSSLESS_CHECKS=1>"
)

if(LOSSLESS_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "LOSSLESS_FUZZ needs clang: configure with -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link) # libFuzzer sees which branches are taken
endif()

if(LOSSLESS_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release")
  check_ipo_supported(RESULT LOSSLESS_LTO_WORKS OUTPUT ignored LANGUAGES CXX)
endif()

set(LOSSLESS_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)
include(utils/cmake/install.cmake)

# A library, its headers as ns3/<name>.h, and a test runner.
function(build_lib)
  cmake_parse_arguments(
    LIB "" "LIBNAME"
    "SOURCE_FILES;HEADER_FILES;PRIVATE_HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES" ${ARGN}
  )
  set(name ${LIB_LIBNAME})

  file(MAKE_DIRECTORY ${LOSSLESS_INCLUDE_DIR}/ns3)
  foreach(header IN LISTS LIB_HEADER_FILES)
    get_filename_component(flat ${header} NAME)
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${LOSSLESS_INCLUDE_DIR}/ns3/${flat}
         SYMBOLIC)
  endforeach()
  lossless_write_module_header(${LOSSLESS_INCLUDE_DIR}/ns3 ${name} ${LIB_HEADER_FILES})

  add_library(${name} SHARED ${LIB_SOURCE_FILES})
  target_compile_features(${name} PUBLIC cxx_std_${CMAKE_CXX_STANDARD})
  target_include_directories(
    ${name} PUBLIC $<BUILD_INTERFACE:${LOSSLESS_INCLUDE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  )
  target_link_libraries(${name} PUBLIC ${LIB_LIBRARIES_TO_LINK})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ns3-${name})
  # A program may use the library through TypeId names alone; the linker must not leave it out then.
  target_link_options(${name} INTERFACE -Wl,--no-as-needed)
  if(LOSSLESS_LTO_WORKS)
    set_target_properties(${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
    # Of the model alone: with the helpers, linking takes longer, and a frame takes no fewer
    # instructions.
    foreach(source IN LISTS LIB_SOURCE_FILES)
      if(source MATCHES "helper[/_]")
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -fno-lto)
      endif()
    endforeach()
  endif()
  lossless_install_library(${name} ${LIB_HEADER_FILES})
  set(lib${name} ${name})
  set(lib${name} ${name} PARENT_SCOPE)

  set(runner ${name}-test-runner)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${runner}.cc
       CONTENT
         "#include <ns3/test.h>\n\nint\nmain(int argc, char* argv[])\n{\n    return ns3::TestRunner::Run(argc, argv);\n}\n"
       @ONLY
  )
  add_executable(${runner} ${PROJECT_BINARY_DIR}/${runner}.cc ${LIB_TEST_SOURCES})
  target_link_libraries(${runner} PRIVATE ${name})
  lossless_compile_quickly(${runner})
endfunction()

# lossless_add_suites(RUNNER SOURCE...): a ctest entry for each suite in these sources; a name is read
# from its source, so that no suite can be forgotten here.
function(lossless_add_suites runner)
  foreach(source IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} text)
    # Only where it is used: the path would keep ccache from helping another checkout.
    if(text MATCHES "NS_TEST_SOURCEDIR")
      set_property(
        SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS
        NS_TEST_SOURCEDIR="${CMAKE_CURRENT_SOURCE_DIR}/test"
      )
    endif()
    string(REGEX MATCHALL "TestSuite\\([ \n]*\"[^\"]+\"" constructors "${text}")
    foreach(constructor IN LISTS constructors)
      string(REGEX REPLACE ".*\"([^\"]+)\"$" "\\1" suite "${constructor}")
      # A folder of its own: the one that ns-3 makes up is named by the second.
      add_test(NAME suite.${suite}
               COMMAND ${runner} --suite=${suite} --verbose --fullness=EXTENSIVE
                       --tempdir=${PROJECT_BINARY_DIR}/Testing/${suite})
    endforeach()
  endforeach()
endfunction()

# Tests wait for the library: to optimise their own code costs more than it saves.
function(lossless_compile_quickly target)
  target_compile_options(${target} PRIVATE -O0)
endfunction()

# An example, or another program that belongs to the module.
function(build_lib_example)
  cmake_parse_arguments(EXAMPLE "" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  add_executable(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES})
  target_link_libraries(${EXAMPLE_NAME} PRIVATE ${PROJECT_NAME} ${EXAMPLE_LIBRARIES_TO_LINK})
  set_target_properties(
    ${EXAMPLE_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
  )
endfunction()

# ctest entries for the examples that ns-3's test.py runs as tests, from the same list.
function(lossless_add_example_tests list)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} lines REGEX "^ *\\(\"[^\"]+\", *\"True\"")
  set(count 0)
  foreach(line IN LISTS lines)
    math(EXPR count "${count} + 1")
    string(REGEX REPLACE "^ *\\(\"([^\"]+)\".*" "\\1" command "${line}")
    separate_arguments(command UNIX_COMMAND "${command}")
    list(GET command 0 program)
    if(TARGET ${program})
      add_test(NAME example.${count}.${program} COMMAND ${command}
               WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
      )
    endif()
  endforeach()
endfunction()

# Each .cc file of a folder is a program, as in ns-3's own scratch: <build>/<folder>/<name>. A file
# that comes or goes is noticed by the next build.
function(lossless_add_programs folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    string(REPLACE "/" "_" program "${folder}_${name}")
    add_executable(${program} ${source})
    target_link_libraries(${program} PRIVATE ${PROJECT_NAME} ${liblossless-jobs} ${libpoint-to-point}
                                             ${libtraffic-control})
    set_target_properties(
      ${program} PROPERTIES OUTPUT_NAME ${name}
                            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder}
    )
  endforeach()
endfunction()
