// Says of each model that it is given whether it can deadlock, and how: the library in a few lines.

#include <api/verify.hpp>
#include <iostream>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    surety::api::Request request;
    request.source.files = {argv[i]};
    request.properties = {"deadlock"};
    const auto report = surety::api::verify(request);
    if (!report) {
      for (const auto& d : report.error().diagnostics) std::cerr << render(d);
      return report.error().status;
    }
    const surety::api::Check& check = report->checks.front();
    std::cout << report->model.network.name << ": " << name_of(verdict_kind(check.verdict));
    if (const auto* violated = std::get_if<surety::Violated>(&check.verdict))
      for (const surety::Action action : violated->trace) std::cout << " " << report->model.actions->name(action);
    std::cout << "\n";
  }
}
