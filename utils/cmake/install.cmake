# SPDX-License-Identifier: GPL-2.0-only
#
# What `cmake --install` puts below the prefix for C++: the libraries, headers as ns3/<name>.h, the
# CMake package ns3-lossless with the target ns3::lossless and the component jobs, which is
# ns3::lossless-jobs, and a pkg-config file for each. It may be moved as a whole.

include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON) # an ns-3 that is not where the loader looks

# pkg-config: ns-3's own files ask for libraries of the machine that built it, so its libraries are
# named here, as they are linked.
function(lossless_install_pkg_config name)
  set(lossless_ns3_libs)
  set(lossless_pc_requires)
  if(name STREQUAL "lossless")
    set(modules ${libcore} ${libnetwork} ${libinternet} ${libstats} ${libapplications}
                ${libinternet-apps}
    )
    foreach(module IN LISTS modules)
      string(APPEND lossless_ns3_libs " $<TARGET_LINKER_FILE:${module}>")
    endforeach()
  else()
    set(lossless_pc_requires ns3-lossless)
  endif()
  get_target_property(folders ${libcore} INTERFACE_INCLUDE_DIRECTORIES)
  find_path(LOSSLESS_NS3_INCLUDE ns3/core-module.h HINTS ${folders} REQUIRED)
  mark_as_advanced(LOSSLESS_NS3_INCLUDE)
  file(RELATIVE_PATH lossless_pc_to_prefix /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
  configure_file(${PROJECT_SOURCE_DIR}/utils/cmake/ns3-lossless.pc.in
                 ${PROJECT_BINARY_DIR}/package/ns3-${name}.pc.in @ONLY
  )
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/package/ns3-${name}.pc
       INPUT ${PROJECT_BINARY_DIR}/package/ns3-${name}.pc.in
  )
  install(FILES ${PROJECT_BINARY_DIR}/package/ns3-${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  )
endfunction()

# lossless_install_library(TARGET HEADER...)
function(lossless_install_library name)
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN") # one finds the other
  install(
    TARGETS ${name}
    EXPORT ns3-losslessTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  )
  install(FILES ${ARGN} ${LOSSLESS_INCLUDE_DIR}/ns3/${name}-module.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3
  )
  lossless_install_pkg_config(${name})
endfunction()

# After all libraries.
function(lossless_install_package)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/ns3-lossless)
  install(EXPORT ns3-losslessTargets NAMESPACE ns3:: DESTINATION ${folder})
  configure_package_config_file(
    utils/cmake/ns3-losslessConfig.cmake.in
    ${PROJECT_BINARY_DIR}/package/ns3-losslessConfig.cmake INSTALL_DESTINATION ${folder}
  )
  write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/package/ns3-losslessConfigVersion.cmake
    COMPATIBILITY SameMinorVersion
  )
  install(
    FILES ${PROJECT_BINARY_DIR}/package/ns3-losslessConfig.cmake
          ${PROJECT_BINARY_DIR}/package/ns3-losslessConfigVersion.cmake
          ${PROJECT_SOURCE_DIR}/utils/cmake/ns3-targets.cmake
    DESTINATION ${folder}
  )
endfunction()
