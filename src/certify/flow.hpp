// Rule flavers: a proof by flow analysis (doc/rules.md#flavers), in the checker's own words.
#pragma once

#include "certify/search.hpp"

namespace surety::certify {

Judgement check_flow(const Network& network, const Lts& property, const Certificate& certificate, Budget& budget,
                     const Teller& tell);

}  // namespace surety::certify
