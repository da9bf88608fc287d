#include "segment/hints.h"

#include <array>
#include <string_view>

#include "segment/attributes.h"
#include "segment/name_table.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxTag = 2048;
constexpr std::size_t kMaxWord = 16;

struct HintWord {
  std::string_view name;
  std::uint32_t hints;
};

// Words that authors of many sites use, as they stand in names once these are cut at signs, digits and capitals.
constexpr auto kWords = std::to_array<HintWord>({
    {"abstract", kHintText},
    {"account", kHintForm},
    {"ad", kHintAd},
    {"ads", kHintAd},
    {"adsense", kHintAd},
    {"advert", kHintAd},
    {"advertisement", kHintAd},
    {"advertising", kHintAd},
    {"adverts", kHintAd},
    {"affiliate", kHintAd},
    {"alert", kHintNotice},
    {"also", kHintRelated},
    {"announcement", kHintNotice},
    {"answer", kHintThread},
    {"article", kHintContent},
    {"articlebody", kHintContent | kHintText},
    {"aside", kHintSide},
    {"author", kHintByline},
    {"avatar", kHintByline},
    {"banner", kHintNotice},
    {"bio", kHintByline},
    {"blog", kHintContent},
    {"blogpost", kHintContent},
    {"body", kHintText},
    {"bottom", kHintFooter},
    {"brand", kHintIdentity},
    {"branding", kHintIdentity},
    {"bread", kHintNavigation},
    {"breadcrumb", kHintNavigation},
    {"breadcrumbs", kHintNavigation},
    {"button", kHintForm},
    {"buttons", kHintForm},
    {"byline", kHintByline},
    {"caption", kHintMedia},
    {"card", kHintList},
    {"cards", kHintList},
    {"carousel", kHintMedia | kHintRelated},
    {"cart", kHintForm | kHintProduct},
    {"categories", kHintNavigation},
    {"category", kHintByline},
    {"cell", kHintList},
    {"checkout", kHintForm},
    {"colophon", kHintFooter},
    {"comment", kHintComments},
    {"commentlist", kHintComments},
    {"comments", kHintComments},
    {"complementary", kHintSide},
    {"consent", kHintNotice},
    {"contact", kHintForm},
    {"content", kHintContent},
    {"contentinfo", kHintFooter},
    {"contents", kHintContent},
    {"cookie", kHintNotice},
    {"cookies", kHintNotice},
    {"copy", kHintText},
    {"copyright", kHintCopyright},
    {"credit", kHintByline},
    {"credits", kHintByline},
    {"crumb", kHintNavigation},
    {"crumbs", kHintNavigation},
    {"cta", kHintForm},
    {"date", kHintByline},
    {"dateline", kHintByline},
    {"desc", kHintText},
    {"description", kHintText},
    {"detail", kHintContent},
    {"details", kHintContent},
    {"dialog", kHintHidden},
    {"disclaimer", kHintCopyright},
    {"disqus", kHintComments},
    {"doc", kHintContent},
    {"docs", kHintContent},
    {"document", kHintContent},
    {"drawer", kHintHidden},
    {"dropdown", kHintNavigation},
    {"entry", kHintContent},
    {"excerpt", kHintText},
    {"facebook", kHintShare},
    {"faq", kHintText},
    {"feature", kHintContent},
    {"featured", kHintRelated},
    {"feed", kHintList},
    {"field", kHintForm},
    {"figure", kHintMedia},
    {"filter", kHintForm},
    {"filters", kHintForm},
    {"follow", kHintShare},
    {"foot", kHintFooter},
    {"footer", kHintFooter},
    {"footnote", kHintText},
    {"form", kHintForm},
    {"forum", kHintThread},
    {"gallery", kHintMedia},
    {"gdpr", kHintNotice},
    {"grid", kHintList},
    {"head", kHintIdentity},
    {"header", kHintIdentity},
    {"heading", kHintTitle},
    {"headline", kHintTitle},
    {"hero", kHintTitle},
    {"hidden", kHintHidden},
    {"hide", kHintHidden},
    {"image", kHintMedia},
    {"images", kHintMedia},
    {"img", kHintMedia},
    {"index", kHintTable},
    {"info", kHintByline},
    {"instagram", kHintShare},
    {"intro", kHintText},
    {"item", kHintList},
    {"items", kHintList},
    {"language", kHintNavigation},
    {"latest", kHintRelated},
    {"lead", kHintText},
    {"left", kHintSide},
    {"legal", kHintCopyright},
    {"license", kHintCopyright},
    {"link", kHintNavigation},
    {"links", kHintNavigation},
    {"list", kHintList},
    {"listing", kHintList},
    {"login", kHintForm},
    {"logo", kHintIdentity},
    {"main", kHintMain},
    {"mainmenu", kHintNavigation},
    {"markdown", kHintText},
    {"masthead", kHintIdentity},
    {"media", kHintMedia},
    {"menu", kHintNavigation},
    {"menus", kHintNavigation},
    {"message", kHintThread},
    {"messages", kHintThread},
    {"meta", kHintByline},
    {"metadata", kHintByline},
    {"modal", kHintHidden},
    {"more", kHintRelated},
    {"most", kHintRelated},
    {"nav", kHintNavigation},
    {"navbar", kHintNavigation},
    {"navbox", kHintNavigation},
    {"navigation", kHintNavigation},
    {"news", kHintContent},
    {"newsletter", kHintForm},
    {"next", kHintNavigation},
    {"notice", kHintNotice},
    {"notification", kHintNotice},
    {"offcanvas", kHintHidden},
    {"outbrain", kHintAd},
    {"overlay", kHintHidden},
    {"overview", kHintText},
    {"page", 0},
    {"pager", kHintNavigation},
    {"pagination", kHintNavigation},
    {"paragraph", kHintText},
    {"partner", kHintAd},
    {"partners", kHintAd},
    {"photo", kHintMedia},
    {"picks", kHintRelated},
    {"popular", kHintRelated},
    {"popup", kHintHidden},
    {"post", kHintContent},
    {"postbody", kHintContent | kHintText},
    {"posted", kHintByline},
    {"posts", kHintContent | kHintList},
    {"prev", kHintNavigation},
    {"price", kHintProduct},
    {"primary", kHintMain},
    {"print", kHintShare},
    {"privacy", kHintCopyright},
    {"prod", kHintProduct},
    {"product", kHintProduct},
    {"products", kHintProduct | kHintList},
    {"profile", kHintByline},
    {"promo", kHintAd},
    {"promoted", kHintAd},
    {"promotion", kHintAd},
    {"prose", kHintText},
    {"question", kHintThread},
    {"quick", kHintNavigation},
    {"quote", kHintText},
    {"rail", kHintSide},
    {"rating", kHintReview},
    {"ratings", kHintReview},
    {"read", kHintRelated},
    {"recent", kHintRelated},
    {"recirc", kHintRelated},
    {"recommend", kHintRelated},
    {"recommendation", kHintRelated},
    {"recommendations", kHintRelated},
    {"recommended", kHintRelated},
    {"register", kHintForm},
    {"rel", kHintRelated},
    {"related", kHintRelated},
    {"replies", kHintComments},
    {"reply", kHintComments},
    {"respond", kHintComments},
    {"result", kHintList},
    {"results", kHintList},
    {"review", kHintReview},
    {"reviews", kHintReview},
    {"ribbon", kHintNotice},
    {"richtext", kHintText},
    {"right", kHintSide},
    {"row", kHintList},
    {"screen", 0},
    {"search", kHintForm},
    {"searchbox", kHintForm},
    {"secondary", kHintSide},
    {"section", 0},
    {"see", kHintRelated},
    {"share", kHintShare},
    {"sharing", kHintShare},
    {"shop", kHintProduct},
    {"shopping", kHintProduct},
    {"shoutbox", kHintSide},
    {"side", kHintSide},
    {"sidebar", kHintSide},
    {"sidenav", kHintSide | kHintNavigation},
    {"signature", kHintByline},
    {"signin", kHintForm},
    {"signup", kHintForm},
    {"similar", kHintRelated},
    {"single", kHintContent},
    {"site", kHintIdentity},
    {"sitemap", kHintNavigation},
    {"skip", kHintNavigation},
    {"sku", kHintProduct},
    {"slide", kHintMedia},
    {"slider", kHintMedia},
    {"social", kHintShare},
    {"sort", kHintForm},
    {"source", kHintByline},
    {"spec", kHintProduct},
    {"specification", kHintProduct},
    {"specifications", kHintProduct},
    {"specs", kHintProduct},
    {"spoiler", kHintHidden},
    {"sponsor", kHintAd},
    {"sponsored", kHintAd},
    {"sponsors", kHintAd},
    {"sr", kHintHidden},
    {"sticky", kHintNotice},
    {"stories", kHintRelated | kHintList},
    {"story", kHintContent},
    {"storybody", kHintContent | kHintText},
    {"strip", kHintNavigation},
    {"subhead", kHintTitle},
    {"submenu", kHintNavigation},
    {"subnav", kHintNavigation},
    {"subscribe", kHintForm},
    {"subscription", kHintForm},
    {"subtitle", kHintTitle},
    {"suggested", kHintRelated},
    {"suggestions", kHintRelated},
    {"summary", kHintText},
    {"tab", kHintNavigation},
    {"table", kHintList},
    {"taboola", kHintAd},
    {"tabs", kHintNavigation},
    {"tag", kHintByline},
    {"tags", kHintByline},
    {"teaser", kHintRelated},
    {"text", kHintText},
    {"thread", kHintThread},
    {"thumb", kHintMedia},
    {"thumbnail", kHintMedia},
    {"ticker", kHintRelated},
    {"time", kHintByline},
    {"timestamp", kHintByline},
    {"title", kHintTitle},
    {"toc", kHintTable},
    {"toolbar", kHintForm},
    {"tools", kHintShare},
    {"tooltip", kHintHidden},
    {"top", kHintIdentity},
    {"topbar", kHintIdentity},
    {"topic", kHintThread},
    {"topics", kHintRelated},
    {"topnav", kHintNavigation},
    {"trending", kHintRelated},
    {"twitter", kHintShare},
    {"upsell", kHintRelated},
    {"user", kHintByline},
    {"utility", kHintNavigation},
    {"video", kHintMedia},
    {"viewed", kHintRelated},
    {"visually", kHintHidden},
    {"widget", kHintSide},
    {"widgets", kHintSide},
    {"wysiwyg", kHintText},
});
constexpr NameTable<HintWord, kWords.size(), 1024> kTable(kWords);

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

// "postBody main-text2" → post, body, main, text.
std::uint32_t hints_in(ByteView names) {
  std::uint32_t hints = 0;
  std::array<char, kMaxWord> word{};
  std::size_t size = 0;
  std::uint32_t hash = kNameHashStart;
  const auto end_word = [&] {
    if (size > 1 && size <= kMaxWord) {
      const HintWord* const found = kTable.find({word.data(), size}, hash);
      if (found != nullptr) hints |= found->hints;
    }
    size = 0;
    hash = kNameHashStart;
  };
  char before = ' ';
  for (const char c : names) {
    const bool upper = is_upper(c);
    if (!upper && !is_lower(c)) {
      end_word();
    } else {
      if (upper && is_lower(before)) end_word();
      const char lower = static_cast<char>(upper ? c - 'A' + 'a' : c);
      if (size < kMaxWord) word[size] = lower;
      hash = name_hash_step(hash, lower);
      ++size;
    }
    before = c;
  }
  end_word();
  return hints;
}

std::uint64_t hash_of(ByteView bytes) {
  std::uint64_t hash = 1469598103934665603u;
  for (const char c : bytes) {
    if (c >= '0' && c <= '9') continue;  // "item-17" and "item-18" are of one kind
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return hash;
}

bool hides(ByteView style) {
  const std::size_t display = style.find("display");
  if (display == ByteView::npos) return false;
  const std::size_t none = style.find("none", display);
  return none != ByteView::npos && none - display < 12;
}

}  // namespace

TagNames read_tag_names(ByteView tag) {
  TagNames names;
  Attributes attributes(tag.substr(0, kMaxTag));
  while (attributes.next()) {
    if (attributes.is("class")) {
      names.hints |= hints_in(attributes.value);
      names.signature = hash_of(attributes.value);
    } else if (attributes.is("id") || attributes.is("role") || attributes.is("itemprop")) {
      names.hints |= hints_in(attributes.value);
    } else if (attributes.is("hidden") || (attributes.is("aria-hidden") && attributes.value == "true") ||
               (attributes.is("style") && hides(attributes.value))) {
      names.hints |= kHintHidden;
    }
  }
  return names;
}

}  // namespace blockarch
