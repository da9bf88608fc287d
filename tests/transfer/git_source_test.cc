#include "transfer/git_source.h"

#include <fmt/format.h>

#include <cstdlib>
#include <thread>

#include "tests/transfer/source_checks.h"

using namespace blockarch;
namespace fs = std::filesystem;

namespace {

using Strings = std::vector<std::string>;
using Counts = std::map<std::string, std::uint64_t>;

constexpr char kBase[] = "https://example.org/";

// A repository that is made by `git fast-import`.
class Repository {
 public:
  explicit Repository(const std::string& kind = "--bare") : path_(directory_.path() + "/repository") {
    run(fmt::format("git init -q {} '{}'", kind, path_));
    run(fmt::format("git -C '{}' symbolic-ref HEAD refs/heads/main", path_));
  }

  const std::string& path() const { return path_; }
  std::string beside(const std::string& name) const { return directory_.path() + "/" + name; }

  // `changes` are lines of a fast-import stream; see add() and gone().
  Repository& commit(const std::string& changes, const std::string& message = "a commit",
                     const std::string& branch = "main", const std::string& parents = "") {
    ++time_;
    stream_ += fmt::format("commit refs/heads/{}\nmark :{}\nauthor A <a@a> {} +0200\ncommitter C <c@c> {} +0000\n",
                           branch, time_, time_, time_ + 1000);
    stream_ += fmt::format("data {}\n{}\n{}{}\n", message.size(), message, parents, changes);
    return *this;
  }
  int last_mark() const { return time_; }

  void finish() {
    write_file(beside("stream"), stream_ + "done\n");
    run(fmt::format("git -C '{}' fast-import --quiet --done < '{}'", path_, beside("stream")));
    stream_.clear();
  }

  // Small imports are stored as one file for each object.
  void drop(const std::string& name) {
    run(fmt::format("cd '{}' && h=$(git rev-parse {}) && rm objects/$(echo $h | cut -c1-2)/$(echo $h | cut -c3-)",
                    path_, name));
  }

  static void run(const std::string& command) {
    INFO(command);
    REQUIRE(std::system(command.c_str()) == 0);
  }

  ReadSource read(const GitOptions& options = {.base_url = kBase}) {
    auto source = GitSource::open(path_, options);
    if (!source) FAIL(source.error().message);
    ReadSource all = read_all(**source);
    counts_ = (*source)->counts();
    not_kept_ = (*source)->not_kept();
    CHECK((*source)->progress().done == (*source)->progress().total);
    return all;
  }
  const Counts& counts() const { return counts_; }
  const Counts& not_kept() const { return not_kept_; }

 private:
  TemporaryDirectory directory_;
  std::string path_;
  std::string stream_;
  int time_ = 0;
  Counts counts_;
  Counts not_kept_;
};

std::string add(const std::string& path, const std::string& bytes, const std::string& mode = "100644") {
  return fmt::format("M {} inline \"{}\"\ndata {}\n{}\n", mode, path, bytes.size(), bytes);
}

std::string gone(const std::string& path) {
  return fmt::format("D \"{}\"\n", path);
}

// "URL@seconds=bytes".
Strings shown(const ReadSource& all) {
  Strings lines;
  for (const DecodedCapture& capture : all.captures) {
    lines.push_back(fmt::format("{}@{}={}", capture.url.substr(sizeof kBase - 1), capture.time.micros / 1'000'000,
                                capture.bytes()));
  }
  return lines;
}

std::string complaint(const std::string& path, const GitOptions& options = {.base_url = kBase}) {
  const auto source = GitSource::open(path, options);
  return source ? "no complaint" : source.error().message;
}

}  // namespace

TEST_CASE("every commit that adds or changes a file is a capture of it") {
  Repository repository;
  repository.commit(add("a.html", "A1") + add("Service Name/Terms of Service.html", "T1"));
  repository.commit(add("a.html", "A2"));
  repository.commit(add("b/c/d.css", "D1", "100755"));
  repository.commit(gone("a.html"));
  repository.commit(add("a.html", "A2") + add("b/c/d.css", "D1"));
  repository.finish();
  const ReadSource all = repository.read();
  CHECK(all.problems.empty());
  CHECK(shown(all) == Strings{"Service%20Name/Terms%20of%20Service.html@1=T1", "a.html@1=A1", "a.html@2=A2",
                              "b/c/d.css@3=D1", "a.html@5=A2"});
  CHECK(all.captures[3].content_type == "text/css");
  CHECK(repository.counts() == Counts{{"commit", 5}, {"deleted", 1}, {"file", 5}});
  CHECK(repository.not_kept() == Counts{{"deleted", 1}});
  CHECK(repository.read({.base_url = kBase, .committer_time = true}).captures[0].time == Time::from_seconds(1001));
}

TEST_CASE("only files that match a pattern come") {
  Repository repository;
  repository.commit(add("a.html", "A") + add("b.txt", "B") + add("c/d.html", "D")).finish();
  CHECK(shown(repository.read({.base_url = kBase, .patterns = {"*.html"}})) == Strings{"a.html@1=A", "c/d.html@1=D"});
  CHECK(repository.not_kept() == Counts{{"not asked for", 1}});
}

TEST_CASE("links and submodules are counted, whatever they replace") {
  Repository repository;
  repository.commit(add("x", "file") + add("link", "/etc/passwd", "120000"));
  repository.commit(gone("x") + add("x/inner", "I") + "M 160000 0123456789012345678901234567890123456789 module\n");
  repository.commit(gone("x/inner") + add("x", "file again"));
  repository.commit(add("x", "target", "120000"));
  repository.commit(add("x", "target"));
  repository.finish();
  const ReadSource all = repository.read();
  CHECK(all.problems.empty());
  CHECK(shown(all) == Strings{"x@1=file", "x/inner@2=I", "x@3=file again", "x@5=target"});
  CHECK(repository.not_kept() == Counts{{"deleted", 2}, {"submodule", 1}, {"symbolic link", 2}});
}

TEST_CASE("a merge brings what was merged at its own time, or each commit of it where all parents are asked for") {
  Repository repository;
  repository.commit(add("a", "A1") + add("b", "B1"));
  repository.commit(add("b", "B2"), "on a branch", "side", "from :1\n");
  repository.commit(add("b", "B3"), "on a branch", "side");
  repository.commit(add("a", "A2"));
  repository.commit(add("b", "B3") + add("c", "made in the merge"), "a merge", "main", "merge :3\n");
  repository.finish();
  CHECK(shown(repository.read()) == Strings{"a@1=A1", "b@1=B1", "a@4=A2", "b@5=B3", "c@5=made in the merge"});
  CHECK(repository.counts().at("commit") == 3);
  const ReadSource all = repository.read({.base_url = kBase, .all_parents = true});
  Strings lines = shown(all);
  std::sort(lines.begin(), lines.end());
  CHECK(lines == Strings{"a@1=A1", "a@4=A2", "b@1=B1", "b@2=B2", "b@3=B3", "c@5=made in the merge"});
  CHECK(repository.counts().at("commit") == 5);
  CHECK(shown(repository.read({.base_url = kBase, .branch = "side"})) ==
        Strings{"a@1=A1", "b@1=B1", "b@2=B2", "b@3=B3"});
}

TEST_CASE("without a base URL the message of the commit names it") {
  Repository repository;
  repository.commit(add("x1", "X1"), "capture https://example.org/x");
  repository.commit(add("y1", "Y1"), "New snapshot\n\nSource: <https://example.org/y?a=(b)>.\n");
  repository.commit(add("z1", "Z1"), "no address");
  repository.commit(add("x1", "X2") + add("y1", "Y2"), "https://example.org/both");
  repository.commit(gone("x1") + add("y1", "Y3"), "https://example.org/y");
  repository.finish();
  const ReadSource all = repository.read({});
  CHECK(shown(all) == Strings{"x@1=X1", "y?a=(b)@2=Y1", "y@5=Y3"});
  REQUIRE(all.problems.size() == 3);
  CHECK(all.problems[0].message == "the message of the commit names no URL: give a base URL");
  CHECK(all.problems[1].message == "the commit changes several files: give a base URL");
  for (const Problem& problem : all.problems) CHECK(loses_record(problem.kind));
}

TEST_CASE("URLs are found in messages as people write them") {
  CHECK(url_in_message("see https://example.org/a, and http://b.example/") == "https://example.org/a");
  CHECK(url_in_message("(https://example.org/a).") == "https://example.org/a");
  CHECK(url_in_message("https://example.org/a_(b)") == "https://example.org/a_(b)");
  CHECK(url_in_message("https://") == "");
  CHECK(url_in_message("") == "");
}

TEST_CASE("bytes come back as they are, also large and binary ones") {
  Repository repository;
  std::string binary;
  for (unsigned i = 0; i < 300'000; ++i) binary += static_cast<char>(i * 7919 >> 3);
  repository.commit(add("large", binary) + add("empty", "") + add("line", "no\r\nchange\n"));
  repository.commit(add("large", binary + "more"));
  repository.finish();
  const ReadSource all = repository.read();
  REQUIRE(all.captures.size() == 4);
  CHECK(all.captures[0].bytes().empty());
  CHECK(all.captures[1].bytes() == binary);
  CHECK(all.captures[2].bytes() == "no\r\nchange\n");
  CHECK(all.captures[3].bytes() == binary + "more");
  Repository::run(fmt::format("git -C '{0}' gc -q --aggressive && git -C '{0}' pack-refs --all", repository.path()));
  CHECK(repository.read().captures.at(3).bytes() == binary + "more");
}

TEST_CASE("a repository with a working tree and a shallow clone are read") {
  Repository repository("");
  for (int i = 1; i <= 5; ++i) repository.commit(add("a", fmt::format("A{}", i)));
  repository.finish();
  CHECK(shown(repository.read()).size() == 5);
  const std::string clone = repository.beside("clone");
  Repository::run(fmt::format("git clone -q --depth 2 'file://{}' '{}'", repository.path(), clone));
  auto source = GitSource::open(clone, {.base_url = kBase});
  REQUIRE(source.has_value());
  const ReadSource all = read_all(**source);
  CHECK(all.problems.empty());
  CHECK(shown(all) == Strings{"a@4=A4", "a@5=A5"});
  CHECK(complaint(clone, {.base_url = kBase, .all_parents = true}).find("lacks commits") != std::string::npos);
}

TEST_CASE("what is no repository, has no commits or no such branch is named") {
  Repository repository;
  const std::string empty = repository.beside("empty");
  fs::create_directories(empty);
  write_file(repository.beside("file"), "x");
  CHECK(complaint(empty) == empty + " is not a git repository");
  CHECK(complaint(repository.beside("file")) == repository.beside("file") + " is not a git repository");
  CHECK(complaint(repository.beside("missing")) ==
        "cannot open " + repository.beside("missing") + ": No such file or directory");
  CHECK(complaint(repository.path()) == "git repository " + repository.path() + " has no commits");
  repository.commit(add("a", "A")).finish();
  CHECK(complaint(repository.path(), {.base_url = kBase, .branch = "other"}) ==
        "git repository " + repository.path() + " has no branch 'other'; it has main");
  CHECK(complaint(repository.path(), {.base_url = "nonsense"}).find("is no base for URLs") != std::string::npos);
  Repository::run(fmt::format("git -C '{}' symbolic-ref HEAD refs/heads/unborn", repository.path()));
  CHECK(complaint(repository.path()).find("has no branch 'HEAD'; it has main") != std::string::npos);
}

TEST_CASE("an object that is missing is a problem and the rest comes") {
  Repository repository;
  repository.commit(add("a", "A1") + add("b", "B1"));
  repository.commit(add("a", "A2"));
  repository.finish();
  repository.drop("main:b");
  const ReadSource all = repository.read();
  CHECK(shown(all) == Strings{"a@1=A1", "a@2=A2"});
  REQUIRE(all.problems.size() == 1);
  CHECK(all.problems[0].kind == ProblemKind::damaged);
  CHECK(all.problems[0].file.ends_with(":b"));
}

TEST_CASE("a missing commit and a missing tree are problems too") {
  Repository repository;
  for (int i = 1; i <= 3; ++i) repository.commit(add("d/a", fmt::format("A{}", i)));
  repository.finish();
  repository.drop("main~1:d");
  ReadSource all = repository.read();
  CHECK(shown(all) == Strings{"d/a@1=A1", "d/a@3=A3"});
  CHECK(all.problems.size() == 1);
  repository.drop("main~2");
  all = repository.read();
  CHECK(shown(all) == Strings{"d/a@3=A3"});
  CHECK(all.problems.size() == 2);
}

TEST_CASE("blobs are read by many threads, after the source has gone") {
  Repository repository;
  for (int i = 0; i < 120; ++i) {
    repository.commit(add("page", std::string(static_cast<std::size_t>(2000), 'x') + std::to_string(i)));
  }
  repository.finish();
  std::vector<std::unique_ptr<RawCapture>> raw;
  {
    auto source = GitSource::open(repository.path(), {.base_url = kBase});
    REQUIRE(source.has_value());
    std::vector<Problem> problems;
    while (auto capture = std::move(*(*source)->next(problems))) raw.push_back(std::move(capture));
  }
  REQUIRE(raw.size() == 120);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = static_cast<std::size_t>(t); i < raw.size(); i += 4) {
        const Decoded decoded = raw[i]->decode();
        const bool right = decoded.captures.size() == 1 && decoded.captures[0].bytes().size() == raw[i]->size() &&
                           decoded.captures[0].bytes().substr(2000) == std::to_string(i);
        if (!right) ++wrong[static_cast<std::size_t>(t)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}
