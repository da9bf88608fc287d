#include "base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <string>
#include <thread>

#include "tests/support/faulty_files.h"
#include "tests/support/temporary_directory.h"

using namespace blockarch;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kLimit = 1 << 20;

template <typename T>
ErrorCode code_of(const Result<T>& result) {
  REQUIRE_FALSE(result);
  return result.error().code;
}

bool mentions(const Error& error, const std::string& text) {
  return error.message.find(text) != std::string::npos;
}

// Runs `body` in a child process that has no special rights; its exit status.
template <typename Body>
int run_unprivileged(Body body) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(99);
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a file is read as it was written") {
  const TemporaryDirectory directory;
  FileSystem& files = posix_files();
  for (const Bytes& bytes : {Bytes(), Bytes("short"), Bytes("a\0b\n", 4), Bytes(300'000, 'x')}) {
    REQUIRE(files.write_file(directory.file("f"), bytes));
    const auto back = files.read_file(directory.file("f"), kLimit);
    REQUIRE(back);
    CHECK(*back == bytes);
  }
}

TEST_CASE("a file over the limit is too large, one of exactly the limit is not") {
  const TemporaryDirectory directory;
  FileSystem& files = posix_files();
  REQUIRE(files.write_file(directory.file("f"), "12345"));
  CHECK(*files.read_file(directory.file("f"), 5) == "12345");
  CHECK(code_of(files.read_file(directory.file("f"), 4)) == ErrorCode::too_large);
  REQUIRE(files.write_file(directory.file("empty"), ""));
  CHECK(*files.read_file(directory.file("empty"), 0) == "");
}

TEST_CASE("a pipe is read to its end and no further than the limit") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const Bytes sent(200'000, 'p');
  for (const std::uint64_t limit : {std::uint64_t{sent.size()}, std::uint64_t{1000}}) {
    std::thread writer([&] {
      const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
      std::size_t done = 0;
      while (done < sent.size()) {
        const ssize_t n = ::write(descriptor, sent.data() + done, std::min<std::size_t>(5000, sent.size() - done));
        if (n <= 0) break;
        done += static_cast<std::size_t>(n);
      }
      ::close(descriptor);
    });
    const auto ignored = ::signal(SIGPIPE, SIG_IGN);
    const auto back = posix_files().read_file(path, limit);
    writer.join();
    ::signal(SIGPIPE, ignored);
    if (limit == sent.size()) {
      REQUIRE(back);
      CHECK(*back == sent);
    } else {
      CHECK(code_of(back) == ErrorCode::too_large);
    }
  }
}

TEST_CASE("what is not there is not found, by name") {
  const TemporaryDirectory directory;
  FileSystem& files = posix_files();
  const std::string path = directory.file("none");
  for (const auto& error : {files.read_file(path, kLimit).error(), files.remove(path).error(),
                            files.rename(path, directory.file("x")).error(), files.sync_directory(path).error(),
                            files.list_directory(path).error(), files.write_file(path + "/f", "x").error(),
                            files.make_directory(path + "/d").error()}) {
    CHECK(error.code == ErrorCode::not_found);
    CHECK(mentions(error, path));
  }
  const auto info = files.info(path);
  REQUIRE(info);
  CHECK_FALSE(*info);
}

TEST_CASE("what a file says of itself") {
  const TemporaryDirectory directory;
  FileSystem& files = posix_files();
  REQUIRE(files.write_file(directory.file("f"), "12345"));
  const auto file = files.info(directory.file("f"));
  REQUIRE(file);
  REQUIRE(*file);
  CHECK((*file)->size == 5);
  CHECK_FALSE((*file)->is_directory);
  const auto self = files.info(directory.path());
  REQUIRE(self);
  REQUIRE(*self);
  CHECK((*self)->is_directory);
  CHECK_FALSE(*files.info(directory.file("f") + "/below"));
}

TEST_CASE("directories are made once, listed in order and removed when empty") {
  const TemporaryDirectory directory;
  FileSystem& files = posix_files();
  const std::string path = directory.file("d");
  REQUIRE(files.make_directory(path));
  REQUIRE(files.make_directory(path));
  for (const char* name : {"b", "a", "c", ".hidden"}) REQUIRE(files.write_file(path + "/" + name, name));
  REQUIRE(files.sync_directory(path));
  CHECK(*files.list_directory(path) == std::vector<std::string>{".hidden", "a", "b", "c"});
  CHECK(code_of(files.remove(path)) == ErrorCode::io);
  for (const char* name : {"b", "a", "c", ".hidden"}) REQUIRE(files.remove(path + "/" + name));
  REQUIRE(files.remove(path));
  CHECK_FALSE(*files.info(path));

  REQUIRE(files.write_file(path, "a file"));
  CHECK(code_of(files.make_directory(path)) == ErrorCode::io);
}

TEST_CASE("the umask decides about permissions") {
  const TemporaryDirectory directory;
  const mode_t before = ::umask(027);
  const auto written = posix_files().write_file(directory.file("f"), "x");
  const auto made = posix_files().make_directory(directory.file("d"));
  ::umask(before);
  REQUIRE(written);
  REQUIRE(made);
  struct stat status;
  REQUIRE(::stat(directory.file("f").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
  REQUIRE(::stat(directory.file("d").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0750);
}

TEST_CASE("no descriptor is left open") {
  const TemporaryDirectory directory;
  FileSystem& files = posix_files();
  const int before = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::close(before);
  REQUIRE(files.write_file(directory.file("f"), "12345"));
  REQUIRE(files.read_file(directory.file("f"), kLimit));
  REQUIRE_FALSE(files.read_file(directory.file("f"), 1));
  REQUIRE_FALSE(files.read_file(directory.path(), kLimit));
  REQUIRE(files.sync_directory(directory.path()));
  REQUIRE(files.list_directory(directory.path()));
  { REQUIRE(FileLock::acquire(directory.file("lock"), 0ms)); }
  const int after = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::close(after);
  CHECK(before == after);
}

TEST_CASE("errno values become the documented codes and one line") {
  CHECK(system_error(ENOSPC, "write", "/a").code == ErrorCode::no_space);
  CHECK(system_error(EDQUOT, "write", "/a").code == ErrorCode::no_space);
  CHECK(system_error(EACCES, "write", "/a").code == ErrorCode::permission);
  CHECK(system_error(EPERM, "write", "/a").code == ErrorCode::permission);
  CHECK(system_error(EROFS, "write", "/a").code == ErrorCode::permission);
  CHECK(system_error(ENOENT, "open", "/a").code == ErrorCode::not_found);
  CHECK(system_error(EIO, "read", "/a").code == ErrorCode::io);
  CHECK(system_error(ENOENT, "open", "/a").message == "cannot open /a: No such file or directory");
}

TEST_CASE("what the system denies is a matter of permission") {
  const TemporaryDirectory directory;
  REQUIRE(posix_files().write_file(directory.file("secret"), "x"));
  REQUIRE(::chmod(directory.file("secret").c_str(), 0) == 0);
  REQUIRE(::chmod(directory.path().c_str(), 0555) == 0);
  const int status = run_unprivileged([&] {
    const auto denied = [](const auto& result) { return !result && result.error().code == ErrorCode::permission; };
    FileSystem& files = posix_files();
    if (!denied(files.read_file(directory.file("secret"), kLimit))) return 1;
    if (!denied(files.write_file(directory.file("new"), "x"))) return 2;
    if (!denied(files.make_directory(directory.file("new")))) return 3;
    if (!denied(files.remove(directory.file("secret")))) return 4;
    if (!denied(FileLock::acquire(directory.file("lock"), 0ms))) return 5;
    return 0;
  });
  REQUIRE(::chmod(directory.path().c_str(), 0755) == 0);
  CHECK(status == 0);
}

TEST_CASE("replacing a file leaves the new content and no temporary file") {
  const TemporaryDirectory directory;
  FileSystem& files = posix_files();
  const std::string path = directory.file("f");
  REQUIRE(replace_file(files, path, directory.file("f.tmp"), "old"));
  REQUIRE(replace_file(files, path, directory.file("f.tmp"), "new"));
  CHECK(*files.read_file(path, kLimit) == "new");
  CHECK(*files.list_directory(directory.path()) == std::vector<std::string>{"f"});
}

TEST_CASE("replacing a file that fails at any call leaves the old or the new content") {
  for (const Fault fault : {Fault::once, Fault::from_then_on}) {
    for (const int number : {EIO, ENOSPC}) {
      const TemporaryDirectory directory;
      const std::string path = directory.file("f");
      const std::string temporary = directory.file("f.tmp");
      FaultyFiles files;
      unsigned failures = 0;
      for (unsigned call = 1;; ++call) {
        REQUIRE(call < 100);
        REQUIRE(replace_file(posix_files(), path, temporary, "old content"));
        files.fail_at(call, fault, number);
        const auto replaced = replace_file(files, path, temporary, "new content");
        const auto content = posix_files().read_file(path, kLimit);
        REQUIRE(content);
        if (replaced) {
          CHECK(*content == "new content");
          CHECK(files.calls() < call);
          break;
        }
        ++failures;
        INFO("call " << call);
        CHECK(replaced.error().code == (number == EIO ? ErrorCode::io : ErrorCode::no_space));
        // Only the last step, making the new name durable, comes after the change.
        CHECK((*content == "old content" || (*content == "new content" && call == 3)));
      }
      CHECK(failures == 3);
    }
  }
}

TEST_CASE("a temporary file of a failed replacement is removed") {
  const TemporaryDirectory directory;
  FaultyFiles files;
  for (const unsigned call : {1u, 2u}) {
    files.fail_at(call, Fault::once);
    REQUIRE_FALSE(replace_file(files, directory.file("f"), directory.file("f.tmp"), "content"));
    CHECK(posix_files().list_directory(directory.path())->empty());
  }
}

TEST_CASE("a lock excludes others until it is given back") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("lock");
  {
    const auto lock = FileLock::acquire(path, 0ms);
    REQUIRE(lock);
    const auto second = FileLock::acquire(path, 5ms);
    REQUIRE(code_of(second) == ErrorCode::locked);
    CHECK(mentions(second.error(), path));
    CHECK(mentions(second.error(), std::to_string(::getpid())));
    CHECK(*posix_files().read_file(path, kLimit) == std::to_string(::getpid()) + "\n");
  }
  CHECK(FileLock::acquire(path, 0ms));
}

TEST_CASE("a lock moves with its object") {
  const TemporaryDirectory directory;
  auto first = FileLock::acquire(directory.file("a"), 0ms);
  auto second = FileLock::acquire(directory.file("b"), 0ms);
  REQUIRE(first);
  REQUIRE(second);
  FileLock moved(std::move(*first));
  CHECK(code_of(FileLock::acquire(directory.file("a"), 0ms)) == ErrorCode::locked);
  moved = std::move(*second);
  CHECK(FileLock::acquire(directory.file("a"), 0ms));
  CHECK(code_of(FileLock::acquire(directory.file("b"), 0ms)) == ErrorCode::locked);
}

TEST_CASE("waiting for a lock ends when it is given back") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("lock");
  auto held = std::make_unique<Result<FileLock>>(FileLock::acquire(path, 0ms));
  REQUIRE(*held);
  std::atomic<bool> waiting = false;
  std::atomic<bool> got = false;
  std::thread waiter([&] {
    waiting = true;
    got = FileLock::acquire(path, 60s).has_value();
  });
  while (!waiting) std::this_thread::yield();
  CHECK_FALSE(got);
  held.reset();
  waiter.join();
  CHECK(got);
}

TEST_CASE("a lock dies with its process and names it while it lives") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("lock");
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const auto lock = FileLock::acquire(path, 0ms);
    const char c = lock ? 'y' : 'n';
    if (::write(ready[1], &c, 1) != 1) ::_exit(1);
    while (true) ::pause();
  }
  char c = 0;
  REQUIRE(::read(ready[0], &c, 1) == 1);
  REQUIRE(c == 'y');
  const auto refused = FileLock::acquire(path, 0ms);
  REQUIRE(code_of(refused) == ErrorCode::locked);
  CHECK(mentions(refused.error(), std::to_string(child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(FileLock::acquire(path, 0ms));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("a lock on a file that was removed is not taken for the lock on its successor") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("lock");
  const auto old = FileLock::acquire(path, 0ms);
  REQUIRE(old);
  REQUIRE(posix_files().remove(path));
  const auto fresh = FileLock::acquire(path, 0ms);
  REQUIRE(fresh);
  CHECK(code_of(FileLock::acquire(path, 0ms)) == ErrorCode::locked);
}

TEST_CASE("a lock that is taken while its file is replaced again and again excludes all others") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("lock");
  std::atomic<int> inside = 0;
  std::atomic<bool> clash = false;
  const auto work = [&] {
    for (int i = 0; i < 300; ++i) {
      auto lock = FileLock::acquire(path, 0ms);
      while (!lock) lock = FileLock::acquire(path, 0ms);
      if (++inside != 1) clash = true;
      std::this_thread::yield();
      --inside;
      // Removed by its holder, as a program that tidies up does: others may have opened the old file just before.
      if (!posix_files().remove(path)) clash = true;
    }
  };
  std::thread a(work);
  std::thread b(work);
  std::thread c(work);
  a.join();
  b.join();
  c.join();
  CHECK_FALSE(clash);
}
