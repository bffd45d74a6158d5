// Which components form which side of a proof rule.
#pragma once

#include <string>
#include <vector>

namespace surety {

using Split = std::vector<std::vector<std::string>>;  // component names: M1, M2, ...

}  // namespace surety
