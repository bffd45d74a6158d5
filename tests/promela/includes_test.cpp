// Which lines cpp may take for an #include that leads out: those of the language, and those that only a reader of C
// would think of.

#include "lang/promela/includes.hpp"

#include <gtest/gtest.h>

namespace surety::promela {
namespace {

std::size_t refused(const std::string& text) { return includes_that_lead_out(text, "model.pml").size(); }

TEST(Includes, OfFilesBelowTheFolderAreFine) {
  for (const char* text : {"#include \"x.h\"\n", "# include \"sub/x.h\"\n", "#include <x.h>\n", "byte include;\n", "",
                           "#define include 3\n", "#if 1\n#endif\n", "x = a # b;\n", "#includes \"/x\"\n"})
    EXPECT_EQ(refused(text), 0U) << text;
}

TEST(Includes, ThatLeadOutAreRefusedHoweverTheyAreWritten) {
  for (const std::string& text : {
           std::string("#include \"/etc/passwd\"\n"),
           std::string("#include \"../x.h\"\n"),
           std::string("#include \"sub/../../x.h\"\n"),
           std::string("#include </etc/passwd>\n"),
           std::string("#include <../x.h>\n"),
           std::string("#include_next \"/x.h\"\n"),
           std::string("#import \"/x.h\"\n"),
           std::string("  #\t include\v\"/x.h\"\n"),
           std::string("#/* */include/* */\"/x.h\"\n"),
           std::string("#/*\n\n*/ include \"/x.h\"\n"),
           std::string("/* */ #include \"/x.h\"\n"),
           std::string("#incl\\\nude \"/x.h\"\n"),
           std::string("#incl\\ \t\nude \"/x.h\"\n"),
           std::string("\\\n#\\\ninclude \"\\\n/x.h\"\n"),
           std::string("%:include \"/x.h\"\n"),
           std::string("%\\\n:include \"/x.h\"\n"),
           std::string("#\0include \"/x.h\"\n", 18),
           std::string("#include MACRO\n"),
           std::string("#include\n"),
           std::string("#include \"x.h\n"),
           std::string("#if 0\n#include \"/x.h\"\n#endif\n"),
           std::string("\"/*\"\n#include \"/x.h\"\n\"*/\"\n"),
           std::string("a\r\n#include \"/x.h\"\r\n"),
           std::string("#include \"/x.h\""),
       })
    EXPECT_EQ(refused(text), 1U) << text;
}

TEST(Includes, AreShownWhereTheyStand) {
  const auto wrong = includes_that_lead_out("byte x;\n  #inc\\\nlude \"/etc/passwd\"\n", "model.pml");
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(wrong[0].line, 2U);
  EXPECT_EQ(wrong[0].column, 3U);
  EXPECT_EQ(wrong[0].message, "'/etc/passwd' may lead out of the folder");
}

}  // namespace
}  // namespace surety::promela
