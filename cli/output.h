// Standard output: buffered, and a write that fails is never forgotten.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

enum class Style { plain, bold, dim, red, green, yellow, cyan };

// What a file descriptor leads to.
struct Terminal {
  bool is_terminal = false;
  bool colour = false;
  bool unicode = false;   // may show more than ASCII
  std::size_t width = 0;  // columns; 0 = no limit

  // Colour and width only on a terminal; NO_COLOR, TERM=dumb, COLUMNS and the locale are obeyed.
  static Terminal of(int descriptor, bool no_color);

  std::string styled(std::string_view text, Style style) const;
  std::string_view ellipsis() const { return unicode ? "…" : "..."; }
};

class Output {
 public:
  Output(int descriptor, std::string name, Terminal terminal)
      : descriptor_(descriptor), name_(std::move(name)), terminal_(terminal) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // After the first failure what is written is dropped: long work asks ok() and stops; flush() tells the
  // error.
  void write(ByteView bytes);
  void line(std::string_view text = {});
  // Writes what is still to be written and then these, at once and without a copy.
  Result<void> send(std::initializer_list<ByteView> parts);
  // Makes room in a pipe for a large page, so that its reader and we need not take turns for each 64 KiB of it.
  void widen_pipe() const;
  bool ok() const { return !error_; }
  Result<void> flush();

  const Terminal& terminal() const { return terminal_; }
  std::string styled(std::string_view text, Style style) const { return terminal_.styled(text, style); }

 private:
  void write_through(ByteView bytes);
  // True where the failed write is worth another try; else the error is noted.
  bool may_try_again();

  int descriptor_;
  std::string name_;
  Terminal terminal_;
  Bytes buffer_;
  std::optional<Error> error_;
};

}  // namespace blockarch
