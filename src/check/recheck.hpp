// Is a certificate a proof of this subject? The same question for a proof that was just found and for one from a file:
// the independent checker answers it, from the model alone.
#pragma once

#include "certify/certify.hpp"
#include "check/subject.hpp"

namespace surety::api {

certify::Judgement refuse(std::string reason);

// `source`: where the model comes from, for proofs for all sizes: they read it again, at other sizes. Null: there are
// none.
certify::Judgement recheck(const Model& model, const Source* source, const Subject& subject,
                           const Certificate& certificate, Budget& budget, const Teller& tell = {});

// The property of the network that a trace assertion or a formula of a program is, if it is proved by parts; or the
// property itself. Null: there is none.
const Property* property_of(const Model& model, const Subject& subject);

}  // namespace surety::api
