// Shows an address in the user's browser, if there is a screen and somebody at the terminal.
#pragma once

#include <string>

#include "base/temp_folder.hpp"

namespace surety::serve {

void open_browser(const std::string& address, const TempFolder& folder);

}  // namespace surety::serve
