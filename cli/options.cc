#include "cli/options.h"

#include <algorithm>
#include <cstdlib>

namespace blockarch {

std::string GlobalOptions::archive_directory() const {
  if (!directory.empty()) return directory;
  const char* from_environment = std::getenv("BLOCKARCH_DIR");
  return from_environment != nullptr && *from_environment != '\0' ? from_environment : ".";
}

std::chrono::milliseconds GlobalOptions::wait() const {
  constexpr double kYear = 365.0 * 86400;  // for ever, as far as a person is concerned
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::clamp(wait_seconds, 0.0, kYear) * 1000));
}

std::vector<Argument> global_arguments(GlobalOptions& options) {
  std::vector<Argument> list;
  const auto add = [&list](const char* names, const char* value, Target target, const char* help) -> Argument& {
    return list.emplace_back(Argument{.names = names, .value = value, .help = help, .target = target});
  };
  add("-C,--directory", "DIR", &options.directory, "the archive; else BLOCKARCH_DIR, else the current directory").kind =
      ValueKind::directory;
  add("--json", "", &options.json, "answer in JSON, for programs");
  add("--wait", "SECONDS", &options.wait_seconds, "how long to wait for another writer to finish (10)");
  add("--no-color", "", &options.no_color, "no colours, as with NO_COLOR=1");
  add("-h,--help", "", &options.help, "explain the command");
  add("--version", "", &options.version, "print the version of the program");
  return list;
}

}  // namespace blockarch
