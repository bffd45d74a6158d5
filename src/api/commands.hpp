// The smaller commands: info, compose, assume, compare, certify, simulate. Each takes a
// request and gives back a value that the command line prints.
#pragma once

#include "certificate/certify_file.hpp"
#include "inspect/assume.hpp"
#include "inspect/compare.hpp"
#include "inspect/compose.hpp"
#include "inspect/draw.hpp"
#include "inspect/info.hpp"
#include "walk/simulate.hpp"
