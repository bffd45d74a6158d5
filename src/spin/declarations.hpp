// The user's own part of a generated model: declarations and the proctypes that are needed.
#pragma once

#include "spin/text.hpp"

namespace surety::spin {

// init has to start these processes before any other (run_text). With `observed`, every receive r of channel c is
// followed, in one atomic step, by surety_see_c(index), and by surety_forget_c() once the user's variables have the
// message.
std::string user_text(const System& system, const SideNumbers& side, bool observed);
std::string run_text(const System& system, const SideNumbers& side);  // run P(1); run Q();

// The variable that holds field f of a message just received on a channel, in an observed model.
std::string field_name(const promela::Variable& channel, std::size_t f);

}  // namespace surety::spin
