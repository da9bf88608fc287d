// A source of captures that a test makes up.
#pragma once

#include <functional>

#include "transfer/source.h"

namespace blockarch {

struct MadeCapture {
  std::string url;
  std::int64_t second = 0;
  Bytes payload;
  std::string digest = {};
  std::optional<RepeatOf> repeat = {};
  std::optional<Problem> problem = {};  // found while decoding
};

class MadeRaw : public RawCapture {
 public:
  explicit MadeRaw(MadeCapture made) : made_(std::move(made)) {}
  std::uint64_t size() const override { return made_.payload.size(); }
  Decoded decode() override {
    Decoded decoded;
    if (made_.problem) decoded.problems.push_back(*made_.problem);
    DecodedCapture capture;
    capture.url = made_.url;
    capture.time = Time::from_seconds(made_.second);
    capture.content_type = "text/html";
    capture.payload = made_.payload;
    capture.payload_digest = made_.digest;
    capture.repeat = made_.repeat;
    capture.file = "made";
    decoded.captures.push_back(std::move(capture));
    return decoded;
  }

 private:
  MadeCapture made_;
};

class MadeSource : public CaptureSource {
 public:
  explicit MadeSource(std::vector<MadeCapture> captures) : captures_(std::move(captures)) {}

  Result<std::unique_ptr<RawCapture>> next(std::vector<Problem>&) override {
    if (before_next) before_next(position_);
    if (fail_at && position_ == *fail_at) return Error{ErrorCode::io, "cannot read made: the disk is gone"};
    if (position_ == captures_.size()) return std::unique_ptr<RawCapture>();
    return std::unique_ptr<RawCapture>(std::make_unique<MadeRaw>(captures_[position_++]));
  }
  SourceProgress progress() const override { return {position_, captures_.size()}; }
  std::map<std::string, std::uint64_t> counts() const override { return {{"made", position_}}; }
  std::map<std::string, std::uint64_t> not_kept() const override { return {}; }

  std::optional<std::size_t> fail_at;
  std::function<void(std::size_t)> before_next;

 private:
  std::vector<MadeCapture> captures_;
  std::size_t position_ = 0;
};

}  // namespace blockarch
