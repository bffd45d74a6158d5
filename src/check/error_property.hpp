// Whether a component reaches its own ERROR, as a question about a property, so that every method
// can answer it: ERROR becomes an action "ERROR.NAME" that must not happen.
#pragma once

#include "certify/certify.hpp"
#include "load/load.hpp"

namespace surety::api {

struct ErrorProperty {
  Network network;
  Property property;
};
ErrorProperty error_property(const Model& model);

// A trace that violates the property of the question, up to the step that leads to ERROR.
Trace until_error(const Model& model, const Trace& trace);

// Either of the question, or of a search for ERROR itself.
certify::Judgement certify_no_error(const Model& model, const Certificate& certificate, Budget& budget,
                                    const Teller& tell);

}  // namespace surety::api
