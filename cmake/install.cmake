# What is installed beside the programs and their pages (docs.cmake): examples, documents, and the library for programs
# of others. All paths are relative to the prefix, so that the tree can be moved.
include(CMakePackageConfigHelpers)

install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/surety/examples)
install(DIRECTORY doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md NEWS.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY python/surety DESTINATION lib/python3/dist-packages COMPONENT python FILES_MATCHING PATTERN *.py)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/surety)
set_target_properties(surety_lib PROPERTIES OUTPUT_NAME surety EXPORT_NAME surety)
install(TARGETS surety_lib EXPORT surety COMPONENT library)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/surety COMPONENT library FILES_MATCHING PATTERN *.hpp
        PATTERN cli EXCLUDE PATTERN mpi EXCLUDE)
install(EXPORT surety NAMESPACE surety:: FILE suretyTargets.cmake DESTINATION ${package} COMPONENT library)
configure_file(cmake/suretyConfig.cmake.in suretyConfig.cmake COPYONLY)
write_basic_package_version_file(suretyConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/suretyConfig.cmake ${CMAKE_BINARY_DIR}/suretyConfigVersion.cmake
        DESTINATION ${package} COMPONENT library)

file(RELATIVE_PATH SURETY_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/surety.pc.in surety.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/surety.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
