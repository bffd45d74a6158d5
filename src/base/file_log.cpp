#include "base/file_log.hpp"

#include "base/hash.hpp"

namespace surety {

void FileLog::add(const std::string& file, std::string_view content) { entries_.emplace(file, sha256_hex(content)); }

}  // namespace surety
