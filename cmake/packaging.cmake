# Install rules and the CMake package, so that find_package(blockarch) gives blockarch::engine and blockarch::fsck.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/blockarch)
set(libraries base warc objects pack refs segment engine history transfer fsck)
list(TRANSFORM libraries PREPEND blockarch_ OUTPUT_VARIABLE library_targets)

install(TARGETS ${library_targets} EXPORT blockarch-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS blockarch_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(dir IN LISTS libraries)
  install(DIRECTORY ${dir}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/blockarch/${dir} FILES_MATCHING PATTERN "*.h"
    PATTERN "git_library.h" EXCLUDE PATTERN "zip_library.h" EXCLUDE)
endforeach()
install(EXPORT blockarch-targets NAMESPACE blockarch:: DESTINATION ${package_dir})
configure_package_config_file(cmake/blockarch-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/blockarch-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/blockarch-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/blockarch-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/blockarch-config-version.cmake DESTINATION ${package_dir})
