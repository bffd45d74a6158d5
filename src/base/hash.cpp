#include "base/hash.hpp"

#include <sys/types.h>

#include <sha2.h>

#include <array>

namespace surety {

std::string sha256_hex(std::string_view bytes) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> text{};
  SHA256Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), text.data());
  return std::string(text.data());
}

}  // namespace surety
