# SPDX-License-Identifier: GPL-2.0-only
#
# After find_package(ns3): the modules of the installed ns-3 by the variables libcore and so on, as
# the lists of this module name them. Part of the installed CMake package too.

# Targets are called ns3::libcore up to 3.42 and ns3::core from 3.43 on.
foreach(module core network internet stats point-to-point applications internet-apps
               traffic-control)
  if(TARGET ns3::lib${module})
    set(lib${module} ns3::lib${module})
  elseif(TARGET ns3::${module})
    set(lib${module} ns3::${module})
  else()
    message(FATAL_ERROR "the installed ns-3 has no module ${module}; install libns3-dev")
  endif()
endforeach()

# The package's targets name files of the machine that built it, such as GSL's library; those that
# are not here are not needed to link against ns-3 either.
function(lossless_drop_missing_files target property)
  get_target_property(before ${target} ${property})
  set(after)
  foreach(value IN LISTS before)
    if(NOT IS_ABSOLUTE "${value}" OR EXISTS "${value}")
      list(APPEND after "${value}")
    endif()
  endforeach()
  set_property(TARGET ${target} PROPERTY ${property} "${after}")
endfunction()

get_property(imported_targets DIRECTORY PROPERTY IMPORTED_TARGETS)
list(FILTER imported_targets INCLUDE REGEX "^ns3::")
foreach(target IN LISTS imported_targets)
  foreach(property INTERFACE_LINK_LIBRARIES INTERFACE_INCLUDE_DIRECTORIES)
    get_target_property(value ${target} ${property})
    if(value)
      lossless_drop_missing_files(${target} ${property})
    endif()
  endforeach()
endforeach()
