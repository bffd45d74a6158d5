// Random Ada programs. Each is printed twice: plain, for the tool, and gated, for the compiler: the same program, whose
// visible steps are done one after the other and written down (gate/gate.ads).
#pragma once

#include <cstdint>
#include <string>

namespace surety {

struct AdaText {
  std::string plain, gated;
};

// The main procedure is called `name`, the gated one NAME_Run.
AdaText random_ada(std::uint64_t seed, const std::string& name);

}  // namespace surety
