// What imports read from names, notes and messages: whatever is found is a URL that the archive takes.
//
// Byte 0 chooses what the rest is.
#include <cstdint>
#include <cstdlib>

#include "base/url.h"
#include "transfer/git_source.h"
#include "transfer/path_url.h"
#include "transfer/saved_page.h"

using namespace blockarch;

namespace {

// Only length may still be wrong with it.
void require_url(const std::string& url) {
  if (url.size() < 4000 && !parse_url(url)) std::abort();
}

void check_note(ByteView bytes) {
  const auto note = find_saved_page_note(bytes);
  if (!note) return;
  if (!note->url.starts_with("http://") && !note->url.starts_with("https://")) std::abort();
  if (note->time && (*note->time < Time::min() || *note->time > Time::max())) std::abort();
}

void check_base(ByteView bytes) {
  // A place inside the host makes a URL of some paths only, which the writer refuses then.
  const auto base = PathUrl::parse(bytes);
  if (base) require_url(base->url("a"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ByteView bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0:
      check_note(bytes);
      break;
    case 1:
      require_url("https://example.org/" + encode_path(bytes));
      break;
    case 2:
      require_url("https://example.org/" + encode_saved_path(bytes));
      break;
    case 3:
      if (const std::string url = url_in_message(bytes); !url.empty()) require_url(url);
      break;
    case 4:
      check_base(bytes);
      break;
  }
  return 0;
}
