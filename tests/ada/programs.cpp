#include "ada/programs.hpp"

#include "ada/program_generator.hpp"

namespace surety {

AdaText random_ada(std::uint64_t seed, const std::string& name) {
  return random_programs::Generator(seed, name).program();
}

}  // namespace surety
