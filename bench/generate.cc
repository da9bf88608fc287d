// blockarch_generate: writes captures of made-up sites as one plain WARC file, fast enough for millions of them.
//
//   blockarch_generate --captures 1000000 --urls 50000 [--seed 1] [--output FILE]
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "bench/synthetic_site.h"

namespace blockarch::bench {
namespace {

constexpr std::time_t kFirst = 1577836800;        // 2020-01-01
constexpr std::uint64_t kSpan = 4 * 365 * 86400;  // the captures are spread over four years

struct Options {
  std::uint64_t captures = 10000;
  std::uint32_t urls = 0;  // one for twenty captures
  std::uint64_t seed = 1;
  const char* output = nullptr;  // standard output
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return false;
    const char* value = argv[i + 1];
    if (!std::strcmp(argv[i], "--captures")) {
      options.captures = std::strtoull(value, nullptr, 10);
    } else if (!std::strcmp(argv[i], "--urls")) {
      options.urls = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    } else if (!std::strcmp(argv[i], "--seed")) {
      options.seed = std::strtoull(value, nullptr, 10);
    } else if (!std::strcmp(argv[i], "--output")) {
      options.output = value;
    } else {
      return false;
    }
  }
  if (options.urls == 0) options.urls = static_cast<std::uint32_t>(options.captures / 20 + 1);
  return options.captures > 0;
}

void append_record(const std::string& url, std::time_t when, std::uint64_t number, const std::string& html,
                   std::string& out) {
  std::tm utc{};
  gmtime_r(&when, &utc);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
  char id[64];
  std::snprintf(id, sizeof id, "<urn:uuid:00000000-0000-4000-8000-%012" PRIx64 ">", number);
  out += "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: ";
  out += id;
  out += "\r\nWARC-Target-URI: ";
  out += url;
  out += "\r\nWARC-Date: ";
  out += date;
  out += "\r\nContent-Type: text/html\r\nContent-Length: ";
  out += std::to_string(html.size());
  out += "\r\n\r\n";
  out += html;
  out += "\r\n\r\n";
}

bool write_all(const std::string& bytes, std::FILE* file) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
}

int generate(const Options& options) {
  std::FILE* file = options.output ? std::fopen(options.output, "wb") : stdout;
  if (!file) return std::perror(options.output), 1;
  SyntheticWeb web(options.seed, options.urls);
  std::string html;
  std::string out;
  bool good = true;
  for (std::uint64_t i = 0; good && i < options.captures; ++i) {
    const std::uint32_t page = web.pick(i);
    web.capture(page, i, html);
    const auto when = kFirst + static_cast<std::time_t>(kSpan * i / options.captures);
    append_record(web.url(page), when, i, html, out);
    if (out.size() < (1 << 20)) continue;
    good = write_all(out, file);
    out.clear();
  }
  good = good && write_all(out, file);
  good = std::fclose(file) == 0 && good;
  if (!good) std::perror("blockarch_generate");
  return good ? 0 : 1;
}

}  // namespace
}  // namespace blockarch::bench

int main(int argc, char** argv) {
  blockarch::bench::Options options;
  if (!blockarch::bench::parse(argc, argv, options)) {
    std::fputs("usage: blockarch_generate [--captures N] [--urls N] [--seed N] [--output FILE]\n", stderr);
    return 2;
  }
  return blockarch::bench::generate(options);
}
