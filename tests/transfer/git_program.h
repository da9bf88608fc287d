// Runs git on a repository that a test has made.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace blockarch {

inline bool has_git() {
  return std::system("git --version >/dev/null 2>&1") == 0;
}

// What a command prints; the test fails where it does.
inline std::string run_git(const std::string& repository, const std::string& arguments) {
  const std::string command = "git -C '" + repository + "' " + arguments + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string out;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  const int status = ::pclose(pipe);
  INFO(command << "\n" << out);
  REQUIRE(status == 0);
  return out;
}

}  // namespace blockarch
