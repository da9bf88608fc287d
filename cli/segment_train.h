// blockarch segment train: learns where the main content of a site's pages stands.
#pragma once

#include <string>
#include <vector>

#include "cli/session.h"

namespace blockarch {

struct TrainRequest {
  std::vector<std::string> files;
  std::vector<std::string> main_files;  // the main text of each file, in their order; or none at all
  std::string site;                     // a host or a URL
  std::string profile;                  // "", "modern" or "paper"
};

// Keeps what it learnt in the archive and prints it.
Result<ExitCode> train_site(Session& session, const TrainRequest& request);

}  // namespace blockarch
