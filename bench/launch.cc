// blockarch_launch: runs a command and writes what it took to a file, as JSON: wall seconds, processor seconds, peak
// memory in bytes, exit code. A process's peak counts what its parent had when it was forked, so a large parent (an
// interpreter with a big table) would hide a small program; this one is small.
//
//   blockarch_launch FILE COMMAND…
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: blockarch_launch FILE COMMAND…\n", stderr);
    return 2;
  }
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    std::perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child) return std::perror("blockarch_launch"), 1;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::FILE* file = std::fopen(argv[1], "w");
  if (!file) return std::perror(argv[1]), 1;
  std::fprintf(file, "{\"seconds\":%.6f,\"cpu\":%.6f,\"memory\":%lld,\"code\":%d}\n", wall.count(),
               seconds(used.ru_utime) + seconds(used.ru_stime), static_cast<long long>(used.ru_maxrss) * 1024,
               WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return std::fclose(file) == 0 ? 0 : 1;
}
