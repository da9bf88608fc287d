// blockarch cat: the bytes of a page, a block or any other object; and the same for programs that want
// thousands.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/batch.h"
#include "cli/contents.h"
#include "cli/json.h"
#include "cli/session.h"

namespace blockarch {
namespace {

class CatCommand : public Command {
 public:
  CatCommand() : Command("cat", "print the bytes of a page, block or other object") {
    synopsis("cat NAME... [--raw]");
    synopsis("cat --batch [--raw]");
    describe(
        "Prints what NAME stands for: of a URL or a version the page, of a block its bytes, of a layout, "
        "tree or "
        "metadata a text for people. --raw prints the object's own encoding instead, which its id is the "
        "hash of.\n\n"
        "With --batch, reads names line by line from standard input and answers each at once with a line "
        "'ID KIND SIZE', the bytes and a newline; with 'NAME missing' where there is no such thing; with "
        "'NAME "
        "damaged' where it cannot be read back. Each answer is of the archive as it is at that moment.");
    operand("NAME", &names_, "URL, URL@DATE, URL~N, or the beginning of an object's id");
    flag("--raw", raw_, "the canonical encoding");
    flag("--batch", batch_, "answer names from standard input");
    example("cat https://example.com/@2024-05-01", "a page as of a date");
    example("cat 1f3a9c0d2e4b", "a block, by its id");
    example("cat --batch < names.txt", "many, one after the other");
  }

  Result<ExitCode> run(Session& session) override {
    if (batch_ && !names_.empty()) return Error{ErrorCode::invalid, "cat --batch reads its names from standard input"};
    if (batch_ && session.options.json)
      return Error{ErrorCode::invalid, "cat --batch has a format of its own, not JSON"};
    if (!batch_ && names_.empty()) return Error{ErrorCode::invalid, "cat needs NAME, or --batch"};
    BA_ASSIGN(const Archive archive, open_archive(session));
    if (batch_) return answer_batch(archive, session, raw_);
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    for (const std::string& name : names_) {
      BA_ASSIGN(const Named named, resolve_name(snapshot, name, session.now));
      BA_ASSIGN(const Contents contents, contents_of(snapshot, named, raw_));
      if (session.options.json) {
        print_json(session.out, name, contents);
      } else {
        session.out.write(contents.bytes);
      }
    }
    return ExitCode::done;
  }

 private:
  static void print_json(Output& out, const std::string& name, const Contents& contents) {
    Json json = {{"name", name},
                 {"id", contents.id.hash.hex()},
                 {"kind", std::string(kind_name(contents.id.kind))},
                 {"size", contents.bytes.size()}};
    put_content(json, contents.bytes);
    write_json_line(out, json);
  }

  std::vector<std::string> names_;
  bool raw_ = false;
  bool batch_ = false;
};

}  // namespace

std::unique_ptr<Command> make_cat_command() {
  return std::make_unique<CatCommand>();
}

}  // namespace blockarch
