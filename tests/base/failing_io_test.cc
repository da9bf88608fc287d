// The library that makes file operations of whole programs fail, and what LMDB and the file layer keep when they do.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "base/coding.h"
#include "base/file.h"
#include "base/lmdb.h"
#include "tests/support/temporary_directory.h"

using namespace blockarch;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

struct Outcome {
  int status = 0;  // exit status, or minus the signal
  std::string output;
  std::string errors;
};

// Runs a program with the library in it.
Outcome run_failing(const std::vector<std::string>& arguments, std::map<std::string, std::string> environment) {
  const TemporaryDirectory own;
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const int errors = ::open(own.file("errors").c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(pipe[1], STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::close(errors);
    ::close(pipe[0]);
    ::close(pipe[1]);
    environment["LD_PRELOAD"] = FAILING_IO_LIBRARY;
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> raw;
    for (const auto& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
    raw.push_back(nullptr);
    ::execvp(raw[0], raw.data());
    ::_exit(127);
  }
  ::close(pipe[1]);
  Outcome outcome;
  char buffer[4096];
  for (ssize_t n; (n = ::read(pipe[0], buffer, sizeof buffer)) > 0;) {
    outcome.output.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  outcome.errors = posix_files().read_file(own.file("errors"), 1 << 20).value();
  return outcome;
}

int number_in(const std::string& path) {
  const auto text = posix_files().read_file(path, 100);
  REQUIRE(text);
  return std::stoi(*text);
}

// 3,000 bytes in three writes and a sync.
Outcome copy_failing(const TemporaryDirectory& directory, std::map<std::string, std::string> environment) {
  environment["FAILING_IO_COUNT"] = directory.file("count");
  return run_failing({"dd", "if=/dev/zero", "of=" + directory.file("in/copy"), "bs=1000", "count=3", "conv=fsync"},
                     std::move(environment));
}

constexpr std::uint64_t kEntries = 4;

// What a run of durable_writer left: everything it had acknowledged, nothing in part.
void check_state(const std::string& path, std::uint64_t acknowledged) {
  LmdbOptions options;
  options.create = true;
  options.initial_map_size = 1 << 20;
  options.tables = {"t"};
  const auto lmdb = Lmdb::open(path, options);
  if (!lmdb) FAIL(lmdb.error().message);
  const auto read = lmdb->read();
  REQUIRE(read);
  auto cursor = read->cursor(lmdb->table("t"));
  REQUIRE(cursor);
  std::uint64_t count = 0;
  while (true) {
    const auto entry = cursor->next();
    REQUIRE(entry);
    if (!*entry) break;
    ++count;
    CHECK(ByteReader((*entry)->key).fixed64() == count);
    CHECK((*entry)->value == Bytes(count * 9970 % 30'000, 'x'));
  }
  CHECK(count >= acknowledged);
  CHECK(count <= acknowledged + 1);
  const auto state = posix_files().read_file(path + ".state", 100);
  if (acknowledged > 0) REQUIRE(state);
  if (state) {
    const std::uint64_t n = std::stoull(*state);
    CHECK(n >= count);
    CHECK(n <= acknowledged + 1);
  }
}

// One line for each acknowledged entry, in order.
std::uint64_t acknowledged_in(const std::string& output) {
  std::string expected;
  std::uint64_t n = 0;
  while (expected.size() < output.size()) expected += std::to_string(++n) + "\n";
  CHECK(output == expected);
  return n;
}

}  // namespace

TEST_CASE("operations under the directory are counted, others are not") {
  const TemporaryDirectory directory;
  REQUIRE(posix_files().make_directory(directory.file("in")));
  CHECK(copy_failing(directory, {{"FAILING_IO_DIR", directory.file("in")}}).status == 0);
  const int inside = number_in(directory.file("count"));
  CHECK(inside >= 5);
  CHECK(copy_failing(directory, {{"FAILING_IO_DIR", directory.file("elsewhere")}}).status == 0);
  CHECK(number_in(directory.file("count")) == 0);
  // A directory whose name begins alike is another one.
  CHECK(copy_failing(directory, {{"FAILING_IO_DIR", directory.file("i")}}).status == 0);
  CHECK(number_in(directory.file("count")) == 0);
}

TEST_CASE("each operation in turn fails in the way asked for") {
  const TemporaryDirectory directory;
  REQUIRE(posix_files().make_directory(directory.file("in")));
  const std::string copy = directory.file("in/copy");
  const auto run = [&](int at, const std::string& mode) {
    return copy_failing(directory, {{"FAILING_IO_DIR", directory.file("in")},
                                    {"FAILING_IO_AT", std::to_string(at)},
                                    {"FAILING_IO_MODE", mode},
                                    {"FAILING_IO_ERRNO", std::to_string(ENOSPC)}});
  };
  const auto size = [&] { return posix_files().info(copy)->value().size; };
  // 1 opens, 2 to 4 write, 5 syncs.
  CHECK(run(1, "once").status == 1);
  CHECK_FALSE(*posix_files().info(copy));
  CHECK(run(3, "once").status == 1);
  CHECK(size() == 1000);
  CHECK(run(3, "short").status == 1);
  CHECK(size() == 1500);
  CHECK(run(3, "kill").status == -SIGKILL);
  CHECK(size() == 1000);
  CHECK(run(3, "torn").status == -SIGKILL);
  CHECK(size() == 1500);
  CHECK(run(5, "once").status == 1);
  CHECK(size() == 3000);
  CHECK(run(5, "torn").status == -SIGKILL);
  CHECK(run(100, "forever").status == 0);
  CHECK(number_in(directory.file("count")) >= 5);
}

TEST_CASE("reads fail where that is asked for") {
  const TemporaryDirectory directory;
  REQUIRE(posix_files().make_directory(directory.file("in")));
  REQUIRE(posix_files().write_file(directory.file("in/f"), "text"));
  const auto run = [&](const std::string& reads) {
    return run_failing({"dd", "if=" + directory.file("in/f")},
                       {{"FAILING_IO_DIR", directory.file("in")}, {"FAILING_IO_AT", "2"}, {"FAILING_IO_READS", reads}});
  };
  CHECK(run("0").output == "text");
  CHECK(run("1").output == "");
  CHECK(run("1").status == 1);
}

TEST_CASE("a writer whose Nth file operation fails or kills it keeps what it acknowledged") {
  if (kSanitized) SKIP("a library cannot be loaded before the sanitizer's");
  for (const std::string mode : {"once", "forever", "short", "kill", "torn"}) {
    // A disk that is full stays so.
    const int number = mode == "forever" ? ENOSPC : EIO;
    int at = 1;
    int unusable = 0;
    while (true) {
      const TemporaryDirectory directory;
      const std::string path = directory.file("in/hot.mdb");
      REQUIRE(posix_files().make_directory(directory.file("in")));
      const Outcome outcome = run_failing({DURABLE_WRITER, path, std::to_string(kEntries)},
                                          {{"FAILING_IO_DIR", directory.file("in")},
                                           {"FAILING_IO_AT", std::to_string(at)},
                                           {"FAILING_IO_MODE", mode},
                                           {"FAILING_IO_ERRNO", std::to_string(number)},
                                           {"FAILING_IO_COUNT", directory.file("count")}});
      INFO("mode " << mode << ", operation " << at << ", status " << outcome.status);
      const bool killed = mode == "kill" || mode == "torn";
      const bool reached = number_in(directory.file("count")) >= at;
      if (!reached) {
        CHECK(outcome.status == 0);
        CHECK(acknowledged_in(outcome.output) == kEntries);
        check_state(path, kEntries);
        break;
      }
      if (killed) {
        CHECK(outcome.status == -SIGKILL);
      } else {
        CHECK((outcome.status == 0 || outcome.status == 1));
        const char* reason = number == ENOSPC ? "No space left on device" : "Input/output error";
        if (outcome.status == 1) CHECK(outcome.errors.find(reason) != std::string::npos);
      }
      check_state(path, acknowledged_in(outcome.output));
      if (outcome.errors.find("again: cannot write " + path + ": it failed earlier and must be opened again") !=
          std::string::npos) {
        ++unusable;
      }
      ++at;
      REQUIRE(at < 2000);
    }
    CHECK(at > 30);
    // A commit that failed at its very last step.
    if (mode == "once") CHECK(unusable > 0);
  }
}

TEST_CASE("a writer whose Nth read fails says so and calls nothing damaged") {
  if (kSanitized) SKIP("a library cannot be loaded before the sanitizer's");
  const TemporaryDirectory directory;
  const std::string path = directory.file("in/hot.mdb");
  REQUIRE(posix_files().make_directory(directory.file("in")));
  REQUIRE(run_failing({DURABLE_WRITER, path, "1"}, {}).status == 0);
  for (int at = 1;; ++at) {
    const Outcome outcome = run_failing({DURABLE_WRITER, path, "0"}, {{"FAILING_IO_DIR", directory.file("in")},
                                                                      {"FAILING_IO_READS", "1"},
                                                                      {"FAILING_IO_AT", std::to_string(at)},
                                                                      {"FAILING_IO_COUNT", directory.file("count")}});
    if (number_in(directory.file("count")) < at) {
      CHECK(outcome.status == 0);
      CHECK(at > 5);
      break;
    }
    INFO("operation " << at << ": " << outcome.errors);
    CHECK((outcome.status == 0 || outcome.errors.find("Input/output error") != std::string::npos));
    REQUIRE(at < 100);
  }
}
