# cmake -DDIST=FOLDER -DOUT=FOLDER -P embed.cmake: the files of a built page as a source (src/serve/assets.hpp).
# index.html is changed at each request, and so stays as it is; all else is gzipped.
file(MAKE_DIRECTORY ${OUT})
file(GLOB_RECURSE files RELATIVE ${DIST} ${DIST}/*)
list(SORT files)
set(data "")
set(table "")
set(number 0)
foreach(file ${files})
  file(SHA256 ${DIST}/${file} hash)
  string(SUBSTRING ${hash} 0 16 hash)
  set(copy ${OUT}/${number})
  configure_file(${DIST}/${file} ${copy} COPYONLY)
  set(gzipped false)
  if(NOT file STREQUAL "index.html")
    execute_process(COMMAND gzip -9nf ${copy} COMMAND_ERROR_IS_FATAL ANY)
    set(copy ${copy}.gz)
    set(gzipped true)
  endif()
  string(APPEND data "asm(\".section .rodata\\n.balign 16\\npage_${number}:\\n.incbin \\\"${copy}\\\"\\npage_end_${number}:\\n.previous\\n\");\n"
                     "extern \"C\" const char page_${number}, page_end_${number};\n")
  string(APPEND table "      {\"${file}\", \"${hash}\", ${gzipped}, &page_${number}, &page_end_${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT}/page.cpp "// The page, made by cmake/embed.cmake.
#include \"serve/assets.hpp\"

${data}
namespace surety::serve {

const std::vector<BuiltIn>& built_in_page() {
  static const std::vector<BuiltIn> page = {
${table}  };
  return page;
}

}  // namespace surety::serve
")
