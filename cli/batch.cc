#include "cli/batch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"
#include "base/url.h"
#include "cli/contents.h"

namespace blockarch {
namespace {

// A URL, a date and a number of versions fit; a longer line names nothing and is only skipped.
constexpr std::size_t kMaxLine = kMaxUrlLength + 1024;

class LineReader {
 public:
  // Without its end ("\n" or "\r\n"); nothing at the end of input. An overlong line comes cut.
  Result<std::optional<std::string>> next() {
    std::string line;
    while (true) {
      const std::size_t end = buffer_.find('\n', at_);
      take(line, std::min(end, buffer_.size()));
      if (end != std::string::npos) {
        ++at_;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        return std::optional(std::move(line));
      }
      BA_ASSIGN(const bool more, fill());
      if (!more) return line.empty() ? std::nullopt : std::optional(std::move(line));
    }
  }

 private:
  void take(std::string& line, std::size_t end) {
    line.append(buffer_, at_, std::min(end - at_, kMaxLine + 1 - std::min(line.size(), kMaxLine + 1)));
    at_ = end;
  }

  Result<bool> fill() {
    buffer_.resize(1 << 16);
    at_ = 0;
    while (true) {
      const ssize_t count = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return system_error(errno, "read", "standard input");
      buffer_.resize(static_cast<std::size_t>(count));
      return count > 0;
    }
  }

  std::string buffer_;
  std::size_t at_ = 0;
};

Result<Contents> look_up(const Archive& archive, const Session& session, const std::string& name, bool raw) {
  if (name.size() > kMaxLine) return Error{ErrorCode::invalid, "the name is too long"};
  // A new one for every name: it costs microseconds, sees what was added since, and holds back no free space
  // while the other side thinks.
  BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
  BA_ASSIGN(const Named named, resolve_name(snapshot, name, session.now));
  return contents_of(snapshot, named, raw);
}

}  // namespace

Result<ExitCode> answer_batch(const Archive& archive, Session& session, bool raw) {
  LineReader lines;
  Output& out = session.out;
  ExitCode code = ExitCode::done;
  out.widen_pipe();
  while (true) {
    BA_ASSIGN(const auto name, lines.next());
    if (!name) return code;
    session.now = now();
    const auto contents = look_up(archive, session, *name, raw);
    if (contents) {
      const std::string head =
          fmt::format("{} {} {}\n", contents->id.hash.hex(), kind_name(contents->id.kind), contents->bytes.size());
      BA_TRY(out.send({head, contents->bytes, "\n"}));
    } else if (contents.error().code == ErrorCode::not_found || contents.error().code == ErrorCode::invalid) {
      out.line(*name + " missing");
    } else if (contents.error().code == ErrorCode::corrupt) {
      out.line(*name + " damaged");
      print_warning(*name + ": " + contents.error().message);
      code = ExitCode::damaged;
    } else {
      return contents.error();
    }
    BA_TRY(out.flush());
  }
}

}  // namespace blockarch
