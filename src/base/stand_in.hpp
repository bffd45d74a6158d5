// Texts that stand for files, as an editor or a page has them before they are saved.
//
// Whoever asks for the file is given the text, by whatever path: `x.lts`, `./x.lts`, `/home/me/x.lts` and a link to it
// are one file. Which files this process has asked for is kept.
#pragma once

#include <map>
#include <set>
#include <string>

namespace surety {

// Null: none of the texts, which are by file, stands for that one.
const std::string* stand_in(const std::map<std::string, std::string>& texts, const std::string& file);

// The path that all paths of a file have in common. A file that is not there yet has one, too.
std::string one_path(const std::string& path);

// By that path: the files for which a text was looked for since this was called last.
std::set<std::string> take_asked_files();

}  // namespace surety
