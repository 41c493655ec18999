# SPDX-License-Identifier: GPL-2.0-only
#
# Most of the time to compile a test goes to the headers of ns-3 and of GoogleTest, which all tests
# include. So some tests are compiled together: a generated file includes their headers once, then
# each test in a namespace of its own, so that two tests may use the same names.

option(LOSSLESS_MERGE_TESTS "Compile tests together, some to a file" ON)
set(LOSSLESS_TEST_GROUPS 8) # files that a list of tests becomes, at most

# lossless_merge_tests(OUT SOURCE...): sets OUT to what is to be compiled for these sources of the
# current folder. Sources that are no tests stand in OUT as they are.
function(lossless_merge_tests out)
  set(merged)
  foreach(source IN LISTS ARGN)
    if(NOT LOSSLESS_MERGE_TESTS OR NOT source MATCHES "(-test-suite|-unit)\\.cc$")
      list(APPEND merged ${source})
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} text)
    # The path of the source would keep ccache from helping another checkout.
    if(text MATCHES "NS_TEST_SOURCEDIR|LOSSLESS_SOURCE_DIR")
      list(APPEND merged ${source})
      continue()
    endif()
    # By its name: a test that comes or goes changes one group.
    get_filename_component(name ${source} NAME_WE)
    string(MD5 hash ${name})
    string(SUBSTRING ${hash} 0 2 hash)
    math(EXPR group "0x${hash} % ${LOSSLESS_TEST_GROUPS}")
    string(MAKE_C_IDENTIFIER ${name} namespace)
    string(REGEX MATCHALL "#include [<\"][^>\"\n]+[>\"]" includes "${text}")
    list(APPEND includes_${group} ${includes})
    string(APPEND text_${group}
           "namespace\n{\nnamespace ${namespace}\n{\n#include \"${source}\"\n}\n}\n"
    )
  endforeach()
  math(EXPR last "${LOSSLESS_TEST_GROUPS} - 1")
  foreach(group RANGE ${last})
    if(text_${group})
      list(REMOVE_DUPLICATES includes_${group})
      list(JOIN includes_${group} "\n" includes)
      set(file ${CMAKE_CURRENT_BINARY_DIR}/merged/${out}-${group}.cc)
      file(CONFIGURE OUTPUT ${file} CONTENT "${includes}\n${text_${group}}" @ONLY)
      set_source_files_properties(
        ${file} PROPERTIES INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR}
      )
      list(APPEND merged ${file})
    endif()
  endforeach()
  set(${out} ${merged} PARENT_SCOPE)
endfunction()
