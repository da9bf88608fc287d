#include "transfer/export_warc.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/charset.h"
#include "base/coding.h"
#include "transfer/export_lines.h"
#include "transfer/export_record.h"
#include "transfer/stored_head.h"
#include "warc/cdxj.h"

namespace blockarch {
namespace {

constexpr std::string_view kHttpType = "application/http; msgtype=response";
constexpr std::string_view kNotModified = "not-modified";
constexpr std::string_view kWire = "warc+wire:";

bool is_not_modified(const RecordFacts& facts) {
  return facts.head && facts.profile.find(kNotModified) != std::string::npos;
}

class WarcExport {
 public:
  // Without a writer only lines are made.
  WarcExport(const Snapshot& snapshot, const WarcExportOptions& options, WarcWriter* writer)
      : snapshot_(snapshot), options_(options), writer_(writer), pages_(snapshot) {}

  Result<ExportReport> run() {
    BA_ASSIGN(total_, count_captures(snapshot_, options_.selection));
    BA_TRY(look_for_wire());
    BA_TRY(each_selected_url(snapshot_, options_.selection, [this](const ExportUrl& url) { return add_url(url); }));
    BA_TRY(write_warcinfo(Time{}, ""));
    if (writer_ != nullptr) report_.output_bytes = writer_->size();
    return std::move(report_);
  }

 private:
  // A record that has a page whole.
  struct Original {
    std::string record_id;
    std::string url;
    Time time;
    std::string digest;
  };
  struct Everywhere {
    std::optional<VersionId> version;  // nothing where there are several
    Original original;
  };
  // The walk over one URL.
  struct Current {
    const ExportUrl& url;
    std::string target;
    std::optional<UrlNumber> wire;                                  // the URL of bodies as they stood in records
    std::unordered_map<Hash256, Original> originals;                // by version
    std::unordered_map<Hash256, std::optional<std::string>> heads;  // of originals outside of the export
    std::uint64_t captures = 0;
  };

  Result<void> look_for_wire();
  Result<void> add_url(const ExportUrl& url);
  Result<void> add_capture(const ExportCapture& capture, Current& current);
  Result<void> write_capture(const ExportCapture& capture, Current& current);
  Result<void> write_page(const ExportCapture& capture, RecordFacts facts, Current& current);
  Result<void> write_not_modified(const ExportCapture& capture, RecordFacts facts, const Original& original,
                                  Current& current);
  Result<void> write_other(const ExportCapture& capture, const ExportUrl& url);
  Result<std::optional<std::string>> head_of_original(const ExportCapture& capture, Current& current);
  Result<std::optional<VersionId>> wire_of(const ExportCapture& capture, const Current& current) const;
  const Original* find_original(const VersionId& version, const RecordPage& page) const;
  void keep_original(const VersionId& version, const WarcFields& fields, const RecordPage& page, Current& current);
  Result<void> write(const WarcFields& fields, ByteView head, ByteView body, const RecordPage* page,
                     const ExportUrl& url);
  Result<void> write_warcinfo(Time time, std::string_view first_id);
  Result<void> write_line(const WarcFields& fields, const RecordPage& page, const WarcWriter::Place& place,
                          const ExportUrl& url);

  WarcFields common_fields(const ExportCapture& capture, RecordFacts& facts, const std::string& target) const;

  const Snapshot& snapshot_;
  const WarcExportOptions& options_;
  WarcWriter* writer_;
  RecordPages pages_;
  bool has_warcinfo_ = false;
  bool has_wire_ = false;
  std::unordered_map<std::string, Everywhere> everywhere_;  // with `revisits`: by digest
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
  ExportReport report_;
};

Result<void> WarcExport::look_for_wire() {
  UrlFilter filter;
  filter.pattern = fmt::format("{}*", kWire);
  return snapshot_.urls(filter, [this](const UrlSummary&) {
    has_wire_ = true;
    return false;
  });
}

Result<void> WarcExport::add_url(const ExportUrl& url) {
  Current current{url, is_valid_utf8(url.given) ? url.given : url.url.href, {}, {}, {}, 0};
  if (url.given.starts_with(kWire)) return {};  // with the capture whose body it is
  if (has_wire_ && !url.given.starts_with(kRecordScheme)) {
    if (const auto number = snapshot_.find_url(fmt::format("{}{}", kWire, url.given)); number) current.wire = *number;
  }
  BA_TRY(each_selected_capture(snapshot_, options_.selection, url.number,
                               [&](const ExportCapture& capture) { return add_capture(capture, current); }));
  done_ += url.captures;
  if (options_.progress) options_.progress(done_, total_);
  if (current.captures > 0) ++report_.urls;
  return {};
}

Result<void> WarcExport::add_capture(const ExportCapture& capture, Current& current) {
  const auto written = write_capture(capture, current);
  if (!written) {
    const ErrorCode code = written.error().code;
    if (code != ErrorCode::corrupt && code != ErrorCode::not_found && code != ErrorCode::invalid) return written;
    report_.add_problem(
        fmt::format("{} at {}: {}", current.url.given, format_rfc3339(capture.time), written.error().message));
    return {};
  }
  ++current.captures;
  ++report_.captures;
  return {};
}

Result<void> WarcExport::write_capture(const ExportCapture& capture, Current& current) {
  if (current.url.given.starts_with(kRecordScheme)) return write_other(capture, current.url);
  if (capture.damaged) {
    // Either the version, which the next step will tell, or only what is known about the capture.
    BA_TRY(pages_.make(capture.version, std::nullopt));
    report_.add_problem(fmt::format("{} at {}: its metadata cannot be read, the page is exported without",
                                    current.url.given, format_rfc3339(capture.time)));
  }
  RecordFacts facts = record_facts(capture.metadata);
  if (is_not_modified(facts)) {
    const auto original = current.originals.find(capture.version.hash);
    if (original != current.originals.end()) {
      return write_not_modified(capture, std::move(facts), original->second, current);
    }
    BA_ASSIGN(facts.head, head_of_original(capture, current));
  }
  return write_page(capture, std::move(facts), current);
}

WarcFields WarcExport::common_fields(const ExportCapture& capture, RecordFacts& facts,
                                     const std::string& target) const {
  WarcFields fields;
  fields.target_uri = target;
  fields.date = capture.time;
  fields.record_id = facts.record_id;
  if (fields.record_id.empty()) {
    Bytes name = "blockarch capture ";
    put_string(name, target);
    put_fixed64(name, order_preserving(capture.time.micros));
    put_hash(name, capture.version.hash);
    fields.record_id = record_id_for(name);
  }
  fields.more = std::move(facts.fields);
  return fields;
}

Result<void> WarcExport::write_page(const ExportCapture& capture, RecordFacts facts, Current& current) {
  BA_ASSIGN(const auto wire, wire_of(capture, current));
  BA_ASSIGN(const RecordPage page, pages_.make(capture.version, facts.head, wire));
  WarcFields fields = common_fields(capture, facts, current.target);
  if (facts.head) {
    fields.type = RecordType::response;
    fields.content_type = kHttpType;
  } else {
    fields.type = facts.type == "response" ? RecordType::response : RecordType::resource;
    fields.content_type = facts.content_type;
    if (fields.content_type.empty()) {
      BA_ASSIGN(fields.content_type, pages_.content_type(capture.version));
    }
  }
  // A response of another protocol has no payload but its block, and some readers look for an HTTP head in it.
  const bool has_payload = facts.head || fields.type == RecordType::resource;
  if (has_payload) fields.payload_digest = page.payload_digest;
  report_.payload_bytes += page.payload_size;
  const Original* original = options_.revisits ? find_original(capture.version, page) : nullptr;
  if (original == nullptr) {
    keep_original(capture.version, fields, page, current);
    return write(fields, page.head, page.body, &page, current.url);
  }
  fields.type = RecordType::revisit;
  fields.profile = kRevisitIdentical;
  fields.payload_digest = page.payload_digest;
  fields.refers_to = original->record_id;
  fields.refers_to_uri = original->url;
  fields.refers_to_date = original->time;
  ++report_.revisits;
  return write(fields, page.head, {}, &page, current.url);
}

Result<void> WarcExport::write_not_modified(const ExportCapture& capture, RecordFacts facts, const Original& original,
                                            Current& current) {
  RecordPage page;
  page.head = restored_head(*facts.head, 0);
  page.status = 304;
  page.payload_digest = original.digest;
  WarcFields fields = common_fields(capture, facts, current.target);
  fields.type = RecordType::revisit;
  fields.content_type = kHttpType;
  fields.profile = facts.profile;
  fields.payload_digest = original.digest;
  fields.refers_to = original.record_id;
  fields.refers_to_uri = original.url;
  fields.refers_to_date = original.time;
  ++report_.revisits;
  return write(fields, page.head, {}, &page, current.url);
}

// A record of another kind that an exact import has kept: "warc+request:https://…".
Result<void> WarcExport::write_other(const ExportCapture& capture, const ExportUrl& url) {
  std::string_view rest = std::string_view(url.given).substr(kRecordScheme.size());
  const std::size_t colon = std::min(rest.find(':'), rest.size());
  RecordFacts facts = record_facts(capture.metadata, false);
  const RecordType type = record_type(rest.substr(0, colon));
  rest.remove_prefix(std::min(colon + 1, rest.size()));
  const bool has_target = rest != fmt::format("urn:{}", record_type_name(type));
  BA_ASSIGN(const RecordPage page, pages_.make(capture.version, std::nullopt));
  WarcFields fields = common_fields(capture, facts, std::string(has_target ? rest : std::string_view()));
  fields.type = type;
  for (const auto& [key, value] : capture.metadata.entries) {
    if (key == "warc-content-type") fields.content_type = value;
  }
  if (fields.content_type.empty()) fields.content_type = page.version.media_type;
  report_.payload_bytes += page.payload_size;
  return write(fields, page.body, {}, nullptr, url);
}

// The head that the page came with, in a capture that is not part of this export.
Result<std::optional<std::string>> WarcExport::head_of_original(const ExportCapture& capture, Current& current) {
  const auto known = current.heads.find(capture.version.hash);
  if (known != current.heads.end()) return known->second;
  std::optional<std::string> head;
  for (Time time = capture.time; !head;) {
    BA_ASSIGN(const auto before, snapshot_.previous_capture(current.url.number, time));
    if (!before) break;
    time = before->time;
    if (before->version != capture.version) continue;
    RecordFacts facts = record_facts(before->metadata);
    if (!is_not_modified(facts)) head = std::move(facts.head);
  }
  current.heads.emplace(capture.version.hash, head);
  return head;
}

Result<std::optional<VersionId>> WarcExport::wire_of(const ExportCapture& capture, const Current& current) const {
  if (!current.wire) return std::optional<VersionId>();
  const auto found = snapshot_.capture_at(*current.wire, capture.time);
  if (!found && found.error().code != ErrorCode::not_found) return found.error();
  if (!found || found->time != capture.time) return std::optional<VersionId>();
  return std::optional<VersionId>(found->version);
}

const WarcExport::Original* WarcExport::find_original(const VersionId& version, const RecordPage& page) const {
  if (page.body_size == 0) return nullptr;  // nothing to save
  const auto found = everywhere_.find(page.payload_digest);
  return found == everywhere_.end() || found->second.version != version ? nullptr : &found->second.original;
}

void WarcExport::keep_original(const VersionId& version, const WarcFields& fields, const RecordPage& page,
                               Current& current) {
  const Original original{fields.record_id, fields.target_uri, fields.date, page.payload_digest};
  current.originals.emplace(version.hash, original);
  if (!options_.revisits) return;
  const auto [found, is_new] = everywhere_.emplace(page.payload_digest, Everywhere{version, original});
  // The same bytes as two versions (of different types, say): whoever looks for them by digest alone could take either.
  if (!is_new && found->second.version != version) found->second.version.reset();
}

Result<void> WarcExport::write(const WarcFields& fields, ByteView head, ByteView body, const RecordPage* page,
                               const ExportUrl& url) {
  WarcWriter::Place place;
  if (writer_ != nullptr) {
    BA_TRY(write_warcinfo(fields.date, fields.record_id));
    BA_ASSIGN(place, writer_->write(fields, head, body));
  }
  if (page == nullptr || !options_.on_line) return {};
  return write_line(fields, *page, place, url);
}

// Dated like the first record, because the same captures are to give the same bytes tomorrow.
Result<void> WarcExport::write_warcinfo(Time time, std::string_view first_id) {
  if (writer_ == nullptr || has_warcinfo_) return {};
  has_warcinfo_ = true;
  const std::string block = fmt::format(
      "software: {}\r\nformat: WARC File Format 1.1\r\n"
      "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n",
      options_.software);
  WarcFields fields;
  fields.type = RecordType::warcinfo;
  fields.date = time;
  fields.record_id = record_id_for(fmt::format("blockarch warcinfo {} {}", first_id, block));
  fields.content_type = "application/warc-fields";
  BA_TRY(writer_->write(fields, block));
  return {};
}

Result<void> WarcExport::write_line(const WarcFields& fields, const RecordPage& page, const WarcWriter::Place& place,
                                    const ExportUrl& url) {
  HeaderFields members;
  members.emplace_back("mime", fields.type == RecordType::revisit ? "warc/revisit" : page.mime_type);
  if (page.status != 0) members.emplace_back("status", fmt::to_string(page.status));
  // Base32 alone, as other indexers write it.
  members.emplace_back("digest", page.payload_digest.substr(page.payload_digest.find(':') + 1));
  members.emplace_back("length", fmt::to_string(writer_ != nullptr ? place.length : page.payload_size));
  if (writer_ != nullptr) members.emplace_back("offset", fmt::to_string(place.offset));
  if (!options_.filename.empty()) members.emplace_back("filename", options_.filename);
  return options_.on_line(format_cdxj(url.url, fields.date, members));
}

}  // namespace

Result<ExportReport> export_warc(const Snapshot& snapshot, const WarcExportOptions& options, WarcWriter::Sink sink) {
  WarcWriter writer(std::move(sink), options.compression, options.level);
  return WarcExport(snapshot, options, &writer).run();
}

Result<ExportReport> export_cdxj(const Snapshot& snapshot, const CdxjExportOptions& options,
                                 const std::function<Result<void>(ByteView)>& sink) {
  SortedLines lines;
  WarcExportOptions warc;
  warc.selection = options.selection;
  warc.selection.records = false;
  warc.progress = options.progress;
  warc.on_line = [&](std::string line) { return lines.add(std::move(line)); };
  BA_ASSIGN(ExportReport report, WarcExport(snapshot, warc, nullptr).run());
  BA_TRY(lines.finish([&](ByteView line) {
    report.output_bytes += line.size();
    return sink(line);
  }));
  return report;
}

}  // namespace blockarch
