# The Debian package: `./dev package` makes it, checks it with lintian, and tries it in a fresh root. It has the program,
# its pages, examples and documents; the library and the program with MPI are for those who build from source.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME surety)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "surety maintainers <maintainers@surety.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "verifier for concurrent systems that proves a system by its parts")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Model checking explores the product of all components,
which explodes. surety checks each component under an assumption about
the rest, which it learns, and shows that the rest keeps it. It reads
FSP, Promela, Ada and Aldebaran files. An independent checker looks at
proofs by parts again, and counterexamples are replayed.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS cpp)  # of Promela files with lines that begin with #
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "spin, gcc, graphviz, python3:any")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_SOURCE_DIR}/build/package)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};surety;Unspecified;/;${CMAKE_BINARY_DIR};surety;python;/")

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, if that is set
add_custom_command(
  OUTPUT ${docs}/changelog.gz
  COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/changelog.sh ${PROJECT_VERSION} ${CPACK_PACKAGE_CONTACT} ${date}
          < ${PROJECT_SOURCE_DIR}/NEWS.md > ${docs}/changelog
  COMMAND gzip -9nf ${docs}/changelog
  DEPENDS NEWS.md cmake/changelog.sh
  VERBATIM)

# Of what others wrote some is in the programs: libraries that are linked statically, and headers.
set(others libcadical-dev libcli11-dev libexpected-dev libfmt-dev libtomlplusplus-dev nlohmann-json3-dev robin-map-dev)
set(page_licences "")
if(SURETY_STATIC)
  string(REGEX MATCH "^[0-9]+" gcc ${CMAKE_CXX_COMPILER_VERSION})
  list(APPEND others libc6-dev libmd-dev libsqlite3-dev libstdc++-${gcc}-dev)
endif()
if(SURETY_SERVE)
  list(APPEND others libcpp-httplib-dev)
  if(EXISTS ${dist}/licences.txt)
    set(page_licences ${dist}/licences.txt)
  endif()
endif()
add_custom_command(
  OUTPUT ${docs}/others.txt
  COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/licences.sh "${page_licences}" ${others} > ${docs}/others.txt
  DEPENDS ${page_licences} cmake/licences.sh
  VERBATIM)
if(NOT SURETY_FUZZ)
  add_custom_target(package_documents ALL DEPENDS ${docs}/changelog.gz ${docs}/others.txt)
endif()
install(FILES ${docs}/changelog.gz ${docs}/others.txt cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/surety)
include(CPack)
