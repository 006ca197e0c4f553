# What `cmake --install` puts where: library, headers, package files, the program and its
# post-processing.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(fem_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/libfem)
install(TARGETS fem EXPORT libfemTargets FILE_SET HEADERS FILE_SET alone)
install(FILES ${PROJECT_BINARY_DIR}/libfem/generated/libfem/base/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/libfem/base)
install(EXPORT libfemTargets NAMESPACE fem:: DESTINATION ${fem_package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/libfemConfig.cmake.in
  ${PROJECT_BINARY_DIR}/libfemConfig.cmake INSTALL_DESTINATION ${fem_package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/libfemConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/libfemConfig.cmake
              ${PROJECT_BINARY_DIR}/libfemConfigVersion.cmake DESTINATION ${fem_package_dir})

# pkg-config: written at installation, when the prefix is known.
set(FEM_PC_THREADS "")
if(FEM_THREADS STREQUAL "openmp")
  set(FEM_PC_THREADS " ${OpenMP_CXX_FLAGS}")
endif()
set(FEM_PC_CFLAGS "")
if(NOT FEM_ARCH STREQUAL "baseline")
  set(FEM_PC_CFLAGS " -march=${FEM_ARCH}")
endif()
foreach(name CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR PROJECT_DESCRIPTION PROJECT_VERSION
             FEM_PC_THREADS FEM_PC_CFLAGS)
  install(CODE "set(${name} \"${${name}}\")")
endforeach()
install(CODE "
  configure_file(\"${PROJECT_SOURCE_DIR}/cmake/libfem.pc.in\"
                 \"${PROJECT_BINARY_DIR}/libfem.pc\" @ONLY)
  file(INSTALL \"${PROJECT_BINARY_DIR}/libfem.pc\"
       DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\")")

if(TARGET fem_driver)
  install(TARGETS fem_driver)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/postproc/fem_post
        DESTINATION ${CMAKE_INSTALL_DATADIR}/libfem PATTERN __pycache__ EXCLUDE)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/postproc/fem-post
        DESTINATION ${CMAKE_INSTALL_DATADIR}/libfem)
install(CODE "
  file(CREATE_LINK ../${CMAKE_INSTALL_DATADIR}/libfem/fem-post
       \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/fem-post\" SYMBOLIC)")
