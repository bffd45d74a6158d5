# The man page and shell completions come from the command definitions in the binary.
include(GNUInstallDirs)
find_program(SCDOC scdoc REQUIRED)
set(docs ${CMAKE_BINARY_DIR}/docs)
add_custom_command(
  OUTPUT ${docs}/surety.1.gz ${docs}/surety.bash ${docs}/_surety ${docs}/surety.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${docs}
  COMMAND surety docs man > ${docs}/surety.1.scd
  COMMAND ${SCDOC} < ${docs}/surety.1.scd > ${docs}/surety.1
  COMMAND gzip -9nf ${docs}/surety.1
  COMMAND surety docs bash > ${docs}/surety.bash
  COMMAND surety docs zsh > ${docs}/_surety
  COMMAND surety docs fish > ${docs}/surety.fish
  DEPENDS surety
  VERBATIM)
if(NOT SURETY_FUZZ)
  add_custom_target(docs ALL DEPENDS ${docs}/surety.1.gz ${docs}/surety.bash ${docs}/_surety ${docs}/surety.fish)
endif()

install(TARGETS surety)
if(TARGET surety-mpi)
  install(TARGETS surety-mpi COMPONENT mpi)
endif()
install(FILES ${docs}/surety.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${docs}/surety.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME surety)
install(FILES ${docs}/_surety DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${docs}/surety.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
