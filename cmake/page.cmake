# surety-serve, the server of the page, with the page in it: a table of files, each gzipped (embed.cmake).
#
# Where the page comes from: SURETY_PAGE_DIST, a folder with a built one; else build/page, which `./dev build` makes with
# npm; else a page that says how to get the rest. SURETY_PAGE=OFF: that one, on purpose.
set(can_serve ON)
if(SURETY_STATIC)
  set(can_serve OFF)  # Debian has no static library of cpp-httplib
endif()
option(SURETY_SERVE "build the server of the page (needs cpp-httplib)" ${can_serve})
option(SURETY_PAGE "build the page into its server" ON)
set(SURETY_PAGE_DIST "" CACHE PATH "a folder with the built page, instead of build/page")

if(SURETY_SERVE)
  find_path(HTTPLIB_INCLUDE httplib.h REQUIRED)
  find_library(HTTPLIB_LIBRARY cpp-httplib REQUIRED)

  set(dist ${PROJECT_SOURCE_DIR}/cmake/no_page)
  if(SURETY_PAGE AND SURETY_PAGE_DIST)
    set(dist ${SURETY_PAGE_DIST})
    if(NOT EXISTS ${dist}/index.html)
      message(FATAL_ERROR "SURETY_PAGE_DIST=${dist} has no index.html")
    endif()
  elseif(SURETY_PAGE AND EXISTS ${PROJECT_SOURCE_DIR}/build/page/index.html)
    set(dist ${PROJECT_SOURCE_DIR}/build/page)
  endif()
  # Whatever comes or goes there: this is looked at again.
  file(GLOB built CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/build/page/* ${PROJECT_SOURCE_DIR}/build/page/assets/*)
  file(GLOB page_files CONFIGURE_DEPENDS ${dist}/index.html ${dist}/licences.txt ${dist}/assets/*)
  set(page ${CMAKE_BINARY_DIR}/page)
  add_custom_command(
    OUTPUT ${page}/page.cpp
    COMMAND ${CMAKE_COMMAND} -DDIST=${dist} -DOUT=${page} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${page_files} cmake/embed.cmake
    VERBATIM)

  file(GLOB serve_sources CONFIGURE_DEPENDS src/serve/*.cpp)
  list(FILTER serve_sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(surety_serve STATIC ${serve_sources})
  target_link_libraries(surety_serve PUBLIC surety_lib ${HTTPLIB_LIBRARY})
  target_include_directories(surety_serve SYSTEM PUBLIC ${HTTPLIB_INCLUDE})
  # Debian's library was built with these; without them its classes would have another size here.
  target_compile_definitions(surety_serve PUBLIC CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT
                                                 CPPHTTPLIB_BROTLI_SUPPORT)
  add_executable(surety-serve src/serve/main.cpp ${page}/page.cpp)
  target_link_libraries(surety-serve PRIVATE surety_serve)
  target_link_options(surety-serve PRIVATE -Wl,--as-needed)  # of the library it uses the base only
  install(TARGETS surety-serve DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/surety)
endif()
