// blockarch_segment_speed: how fast pages are cut, beside lexbor parsing the same bytes and nothing else. Prints JSON.
//
//   blockarch_segment_speed WARC PAGES ROUNDS    seconds of each way over pages spread evenly over the file
//   blockarch_segment_speed --files FILE…        seconds of finding, labelling and naming all blocks of the files
#include <fmt/format.h>
#include <lexbor/html/html.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "base/charset.h"
#include "segment/describe.h"
#include "segment/media_type.h"
#include "segment/segmenter.h"
#include "segment/split.h"
#include "warc/reader.h"

namespace blockarch::bench {
namespace {

struct TestPage {
  Bytes payload;
  SegmentOptions options;
};

TestPage make_page(ByteView bytes) {
  TestPage page{Bytes(bytes), {}};
  page.options.media_type = "text/html";
  page.options.charset = detect_charset(page.payload, "").name;
  return page;
}

// The page in a record, without an HTTP head; empty where it is no capture.
ByteView payload_of(const ArchiveRecord& record) {
  const ByteView body = record.body.view();
  if (record.type == RecordType::resource) return body;
  if (record.type != RecordType::response) return {};
  const std::size_t head = body.find("\r\n\r\n");
  return head == ByteView::npos ? ByteView{} : body.substr(head + 4);
}

// One page for each of `count` equal parts of the file.
Result<std::vector<TestPage>> read_pages(const std::string& path, std::uint64_t count) {
  BA_ASSIGN(auto input, open_input(path));
  BA_ASSIGN(auto reader, RecordReader::open(std::move(input), {}));
  const std::uint64_t part = std::max<std::uint64_t>(1, reader.size().value_or(0) / count);
  std::vector<TestPage> pages;
  while (true) {
    BA_ASSIGN(const auto record, reader.next());
    if (!record) return pages;
    if (reader.bytes_read() / part < pages.size()) continue;
    const ByteView payload = payload_of(*record);
    if (sniff_media_type(payload) == "text/html") pages.push_back(make_page(payload));
  }
}

// Of the processor, not of the clock: there is one thread, it waits for nothing, and other programs do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double seconds_of(const std::function<void()>& work) {
  const double begin = processor_seconds();
  work();
  return processor_seconds() - begin;
}

// A new document for each page, as a program that has only lexbor would do it.
void parse_bare(const std::vector<TestPage>& pages) {
  for (const TestPage& page : pages) {
    lxb_html_document_t* document = lxb_html_document_create();
    lxb_html_document_parse(document, reinterpret_cast<const lxb_char_t*>(page.payload.data()), page.payload.size());
    lxb_html_document_destroy(document);
  }
}

struct Way {
  std::string name;
  std::function<void()> work;
  std::vector<double> seconds = {};
};

std::vector<Way> ways(const std::vector<TestPage>& pages) {
  std::vector<Way> all = {{"lexbor, bare", [&] { parse_bare(pages); }}};
  for (const std::string_view name : segmenter_names()) {
    if (name == "whole") continue;  // does nothing
    const Segmenter* segmenter = *find_segmenter(name);
    all.push_back({std::string(name), [&pages, segmenter] {
                     for (const TestPage& page : pages) segmenter->segment(page.payload, page.options);
                   }});
  }
  const Segmenter* segmenter = *find_segmenter(kDefaultSegmenter);
  all.push_back({"auto, with its objects", [&pages, segmenter] {
                   for (const TestPage& page : pages) {
                     split_page(page.payload, segmenter->segment(page.payload, page.options));
                   }
                 }});
  all.push_back({"auto, with labels and topics", [&pages, segmenter] {
                   for (const TestPage& page : pages) {
                     DescribeOptions options;
                     options.page = page.options;
                     describe_page(page.payload, *segmenter, options);
                   }
                 }});
  return all;
}

int measure_ways(const std::vector<TestPage>& pages, int rounds) {
  std::vector<Way> all = ways(pages);
  for (Way& way : all) way.work();  // memory and tables are there when the clock runs
  for (int round = 0; round < rounds; ++round) {
    for (Way& way : all) way.seconds.push_back(seconds_of(way.work));
  }
  std::uint64_t bytes = 0;
  for (const TestPage& page : pages) bytes += page.payload.size();
  fmt::print("{{\"pages\":{},\"bytes\":{},\"systems\":[", pages.size(), bytes);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::sort(all[i].seconds.begin(), all[i].seconds.end());
    fmt::print("{}{{\"name\":\"{}\",\"seconds\":{}}}", i ? "," : "", all[i].name,
               all[i].seconds[all[i].seconds.size() / 2]);
  }
  fmt::print("]}}\n");
  return 0;
}

int measure_files(const std::vector<std::string>& paths) {
  std::vector<TestPage> pages;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const Bytes bytes((std::istreambuf_iterator<char>(file)), {});
    pages.push_back(make_page(bytes));
  }
  const double seconds = seconds_of(ways(pages).back().work);
  fmt::print("{{\"pages\":{},\"describe_seconds\":{}}}\n", pages.size(), seconds);
  return 0;
}

int main_with(const std::vector<std::string>& arguments) {
  if (arguments.size() > 1 && arguments[0] == "--files") return measure_files({arguments.begin() + 1, arguments.end()});
  if (arguments.size() != 3) {
    fmt::print(stderr, "usage: blockarch_segment_speed WARC PAGES ROUNDS | --files FILE…\n");
    return 2;
  }
  const auto pages = read_pages(arguments[0], std::max(1ULL, std::strtoull(arguments[1].c_str(), nullptr, 10)));
  if (!pages || pages->empty()) {
    fmt::print(stderr, "blockarch_segment_speed: {}\n", pages ? "no pages" : pages.error().message);
    return 1;
  }
  return measure_ways(*pages, std::max(1, std::atoi(arguments[2].c_str())));
}

}  // namespace
}  // namespace blockarch::bench

int main(int argc, char** argv) {
  return blockarch::bench::main_with({argv + 1, argv + argc});
}
