# SPDX-License-Identifier: GPL-2.0-only
#
# Most of the time to compile a file goes to the headers of ns-3, pybind11 and GoogleTest, which all
# files include. So files are compiled together, some to a generated file.

option(LOSSLESS_MERGE "Compile sources together, some to a file" ON)
set(LOSSLESS_TEST_GROUPS 8) # files that a list of tests becomes, at most
set(LOSSLESS_SOURCE_GROUP 32) # sources of one folder in one file, at most

# lossless_merge_sources(OUT SOURCE...): sets OUT to what is to be compiled for these sources, whose
# paths are relative to the current folder: one file for each folder, more for a large folder.
# Names in unnamed namespaces are unique within a folder. NS_LOG_COMPONENT_DEFINE has one name for
# all files, so each file gets a name of its own for that. Sources with properties stand in OUT as
# they are.
function(lossless_merge_sources out)
  if(NOT LOSSLESS_MERGE)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(merged)
  set(groups)
  foreach(source IN LISTS ARGN)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(definitions)
      list(APPEND merged ${source})
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${out}_${folder}" group)
    if(NOT DEFINED count_${group})
      set(count_${group} 0)
    endif()
    math(EXPR part "${count_${group}} / ${LOSSLESS_SOURCE_GROUP}")
    math(EXPR count_${group} "${count_${group}} + 1")
    string(MAKE_C_IDENTIFIER ${source} id)
    list(APPEND groups ${group}-${part})
    # Relative: an absolute path would keep ccache from helping another checkout.
    string(APPEND text_${group}-${part}
           "#define g_log g_log_${id}\n#include \"${source}\"\n#undef g_log\n"
    )
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/merged/${group}.cc)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text_${group}}" @ONLY)
    set_source_files_properties(
      ${file} PROPERTIES INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR}
    )
    list(APPEND merged ${file})
  endforeach()
  set(${out} ${merged} PARENT_SCOPE)
endfunction()

# lossless_merge_tests(OUT SOURCE...): sets OUT to what is to be compiled for these tests of the
# current folder: each test in a namespace of its own, so that two tests may use the same names,
# after the headers of all. Sources that are no tests stand in OUT as they are.
function(lossless_merge_tests out)
  set(merged)
  foreach(source IN LISTS ARGN)
    if(NOT LOSSLESS_MERGE OR NOT source MATCHES "(-test-suite|-unit)\\.cc$")
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
    get_filename_component(folder ${source} DIRECTORY) # that of headers of its own
    list(APPEND folders_${group} ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
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
      list(REMOVE_DUPLICATES folders_${group})
      list(JOIN includes_${group} "\n" includes)
      set(file ${CMAKE_CURRENT_BINARY_DIR}/merged/${out}-${group}.cc)
      file(CONFIGURE OUTPUT ${file} CONTENT "${includes}\n${text_${group}}" @ONLY)
      set_source_files_properties(
        ${file} PROPERTIES INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR};${folders_${group}}"
      )
      list(APPEND merged ${file})
    endif()
  endforeach()
  set(${out} ${merged} PARENT_SCOPE)
endfunction()

# lossless_write_module_header(FOLDER NAME HEADER...): FOLDER/NAME-module.h, which includes all headers.
function(lossless_write_module_header folder name)
  set(text "#pragma once\n")
  foreach(header IN LISTS ARGN)
    get_filename_component(flat ${header} NAME)
    string(APPEND text "#include <ns3/${flat}>\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/${name}-module.h CONTENT "${text}" @ONLY)
endfunction()
