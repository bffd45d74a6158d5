// Compiled verifiers that outlive a run, in $XDG_CACHE_HOME/surety (or ~/.cache/surety), never more than a few.
#pragma once

#include <string>

namespace surety::spin {

bool take_from_cache(const std::string& key, const std::string& file);  // false: it is not there
void put_into_cache(const std::string& key, const std::string& file);   // a failure is not reported

}  // namespace surety::spin
