#include "segment/stop_words.h"

#include <array>

namespace blockarch {
namespace {

// Sorted by bytes.
// clang-format off
constexpr std::string_view kEnglish[] = {
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been",
    "before", "being", "between", "both", "but", "by", "can", "could", "did", "do", "does", "for", "from",
    "had", "has", "have", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "just", "may", "me", "more", "most", "my", "no", "nor", "not", "of", "off", "on", "once", "one", "only",
    "or", "other", "our", "out", "over", "own", "same", "she", "should", "so", "some", "such", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too", "under",
    "until", "up", "us", "very", "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom",
    "why", "will", "with", "would", "you", "your",
};
constexpr std::string_view kGerman[] = {
    "aber", "alle", "als", "also", "am", "an", "auch", "auf", "aus", "bei", "bin", "bis", "bist", "da",
    "damit", "dann", "das", "dass", "dem", "den", "denn", "der", "des", "die", "dies", "diese", "diesem",
    "diesen", "dieser", "dieses", "doch", "du", "durch", "ein", "eine", "einem", "einen", "einer", "eines",
    "er", "es", "für", "hat", "hatte", "hier", "ich", "ihr", "ihre", "im", "in", "ist", "ja", "kann", "kein",
    "keine", "man", "mehr", "mit", "nach", "nicht", "noch", "nur", "ob", "oder", "ohne", "sein", "seine",
    "sich", "sie", "sind", "so", "um", "und", "uns", "unter", "vom", "von", "vor", "war", "was", "wenn",
    "werden", "wie", "wir", "wird", "wo", "zu", "zum", "zur", "über",
};
constexpr std::string_view kFrench[] = {
    "au", "aux", "avec", "ce", "ces", "cette", "comme", "dans", "de", "des", "du", "elle", "elles", "en",
    "est", "et", "eux", "il", "ils", "je", "la", "le", "les", "leur", "leurs", "lui", "ma", "mais", "me",
    "mes", "moi", "mon", "même", "ne", "nos", "notre", "nous", "on", "ont", "ou", "où", "par", "pas", "plus",
    "pour", "qu", "que", "qui", "sa", "sans", "se", "ses", "son", "sont", "sous", "sur", "ta", "te", "tes",
    "tu", "un", "une", "vos", "votre", "vous", "à", "été", "être",
};
constexpr std::string_view kSpanish[] = {
    "a", "al", "algo", "ante", "antes", "como", "con", "contra", "cual", "cuando", "de", "del", "desde",
    "donde", "durante", "e", "el", "ella", "ellas", "ellos", "en", "entre", "era", "es", "esa", "ese", "eso",
    "esta", "estas", "este", "esto", "estos", "está", "fue", "ha", "han", "hasta", "hay", "la", "las", "le",
    "les", "lo", "los", "me", "mi", "muy", "más", "nada", "ni", "no", "nos", "o", "otra", "otro", "para",
    "pero", "poco", "por", "porque", "que", "quien", "se", "ser", "si", "sin", "sobre", "son", "su", "sus",
    "sí", "también", "te", "tiene", "todo", "todos", "tu", "un", "una", "uno", "unos", "y", "ya", "yo",
};
constexpr std::string_view kItalian[] = {
    "a", "ad", "ai", "al", "alla", "alle", "anche", "che", "chi", "ci", "come", "con", "cui", "da", "dal",
    "dalla", "dei", "del", "della", "delle", "di", "e", "ed", "era", "gli", "ha", "hanno", "i", "il", "in",
    "io", "la", "le", "lei", "lo", "loro", "lui", "ma", "mi", "nei", "nel", "nella", "no", "noi", "non", "o",
    "per", "perché", "più", "quale", "quando", "quella", "quello", "questa", "questo", "se", "sei", "si",
    "sia", "sono", "su", "sua", "sul", "sulla", "suo", "ti", "tra", "tu", "un", "una", "uno", "vi", "voi", "è",
};
constexpr std::string_view kPortuguese[] = {
    "a", "ao", "aos", "as", "até", "com", "como", "da", "das", "de", "dela", "dele", "do", "dos", "e", "ela",
    "elas", "ele", "eles", "em", "entre", "era", "essa", "esse", "esta", "este", "eu", "foi", "há", "isso",
    "isto", "já", "lhe", "mais", "mas", "me", "mesmo", "meu", "minha", "muito", "na", "nas", "nem", "no",
    "nos", "não", "nós", "o", "os", "ou", "para", "pela", "pelo", "por", "qual", "quando", "que", "quem", "se",
    "sem", "ser", "seu", "sua", "são", "só", "também", "te", "tem", "um", "uma", "você", "à", "é",
};
constexpr std::string_view kDutch[] = {
    "aan", "al", "als", "bij", "dan", "dat", "de", "der", "deze", "die", "dit", "doch", "door", "een", "en",
    "er", "ge", "geen", "had", "heb", "hebben", "heeft", "het", "hier", "hij", "hoe", "ik", "in", "is", "ja",
    "je", "kan", "me", "met", "mij", "mijn", "na", "naar", "niet", "nog", "nu", "of", "om", "omdat", "onder",
    "ons", "ook", "op", "over", "te", "tegen", "toch", "toen", "tot", "u", "uit", "uw", "van", "veel", "voor",
    "want", "waren", "was", "wat", "we", "wel", "werd", "wie", "wij", "worden", "wordt", "zal", "ze", "zich",
    "zij", "zijn", "zo", "zou",
};
constexpr std::string_view kSwedish[] = {
    "alla", "att", "av", "de", "dem", "den", "denna", "det", "detta", "dig", "din", "du", "där", "efter", "ej",
    "eller", "en", "ett", "från", "för", "ha", "han", "har", "hon", "hur", "här", "i", "icke", "inte", "ja",
    "jag", "kan", "med", "men", "mig", "min", "mot", "mycket", "ni", "nu", "när", "och", "om", "oss", "på",
    "samma", "sedan", "sig", "sin", "ska", "som", "så", "till", "under", "upp", "ut", "vad", "var", "vi",
    "vid", "vilken", "än", "är", "åt", "över",
};
constexpr std::string_view kDanish[] = {
    "ad", "af", "alle", "at", "blev", "da", "de", "dem", "den", "denne", "der", "deres", "det", "dette", "dig",
    "din", "du", "efter", "eller", "en", "end", "er", "et", "for", "fra", "ham", "han", "hans", "har", "havde",
    "hende", "her", "hos", "hun", "hvad", "hvis", "hvor", "i", "ikke", "ind", "jeg", "jer", "kan", "man",
    "med", "meget", "men", "mig", "min", "mod", "når", "og", "også", "om", "op", "os", "over", "på", "selv",
    "sig", "skal", "som", "til", "ud", "under", "var", "vi", "vil", "være",
};
constexpr std::string_view kNorwegian[] = {
    "alle", "at", "av", "bare", "ble", "da", "de", "dem", "den", "denne", "der", "dere", "det", "dette", "du",
    "eller", "en", "er", "et", "etter", "for", "fra", "ha", "han", "har", "hun", "hva", "hvem", "hvor", "i",
    "ikke", "inn", "jeg", "kan", "med", "meg", "men", "mot", "når", "og", "også", "om", "opp", "oss", "over",
    "på", "seg", "selv", "sin", "skal", "som", "så", "til", "under", "ut", "var", "ved", "vi", "vil", "være",
    "å",
};
constexpr std::string_view kFinnish[] = {
    "ei", "eivät", "en", "että", "he", "hän", "ja", "joka", "jos", "jotka", "kanssa", "koska", "kuin", "kun",
    "me", "minä", "mitä", "mukaan", "mutta", "myös", "ne", "niin", "noin", "nyt", "olen", "oli", "olla", "on",
    "ovat", "se", "sekä", "sen", "siitä", "sinä", "tai", "te", "tuo", "tämä", "vaan", "vai",
};
constexpr std::string_view kHungarian[] = {
    "a", "az", "be", "csak", "de", "egy", "el", "ez", "ezek", "ezt", "fel", "ha", "hogy", "is", "itt", "ki",
    "le", "meg", "mert", "mi", "mint", "már", "még", "nem", "os", "s", "sem", "vagy", "van", "volt", "és", "ő",
    "ők",
};
constexpr std::string_view kRomanian[] = {
    "a", "această", "acest", "ai", "al", "ale", "am", "ar", "are", "au", "ca", "care", "ce", "cea", "cel",
    "cu", "da", "dar", "de", "despre", "din", "după", "este", "eu", "fi", "fost", "la", "le", "mai", "nu", "o",
    "pe", "pentru", "prin", "sau", "se", "sunt", "un", "una", "unei", "unui", "va", "în", "și",
};
constexpr std::string_view kTurkish[] = {
    "ama", "bir", "bu", "da", "daha", "de", "değil", "diye", "en", "gibi", "hem", "her", "ile", "ise", "için",
    "kadar", "ki", "mi", "ne", "o", "olan", "olarak", "sonra", "ve", "veya", "ya", "çok", "şey", "şu",
};
constexpr std::string_view kRussian[] = {
    "а", "без", "был", "была", "были", "было", "быть", "в", "вам", "вас", "весь", "во", "вот", "все", "всех",
    "всё", "вы", "где", "да", "для", "до", "его", "ее", "если", "есть", "ещё", "её", "же", "за", "здесь", "и",
    "из", "или", "им", "их", "к", "как", "ко", "когда", "кто", "ли", "мы", "на", "над", "не", "него", "нет",
    "ни", "но", "о", "об", "от", "по", "под", "при", "с", "со", "так", "такой", "там", "то", "того", "тоже",
    "только", "том", "у", "уже", "что", "чтобы", "эта", "эти", "это", "этот", "я",
};
constexpr std::string_view kCommon[] = {
    "από", "για", "είναι", "η", "και", "με", "να", "ο", "που", "στη", "στο", "τα", "της", "το", "του", "או",
    "את", "גם", "זה", "לא", "על", "של", "أن", "إلى", "التي", "الذي", "على", "عن", "في", "لا", "ما", "مع", "من",
    "هذا", "هذه", "और", "का", "कि", "की", "के", "को", "पर", "में", "यह", "से", "है", "กับ", "การ", "ก็", "ของ",
    "ความ", "จะ", "จาก", "ที่", "นี้", "มา", "มี", "ว่า", "หรือ", "เป็น", "แต่", "และ", "ใน", "ให้", "ได้",
    "ไป", "ไม่", "ある", "い", "いる", "から", "が", "こと", "この", "これ", "さ", "し", "する", "その", "それ", "た", "て", "で", "です",
    "と", "として", "な", "など", "に", "の", "は", "ます", "まで", "も", "よう", "れ", "を", "一个", "上", "下", "不", "与", "个", "中",
    "为", "之", "也", "了", "于", "他", "他们", "以", "们", "你", "及", "和", "在", "她", "它", "对", "就", "我", "我们", "或", "把",
    "是", "有", "的", "着", "等", "而", "被", "这", "那", "都", "것", "그", "그리고", "등", "또는", "및", "수", "이", "저",
};
// clang-format on

constexpr auto kLanguages = std::to_array<Language>({
    {"english", kEnglish},
    {"german", kGerman},
    {"french", kFrench},
    {"spanish", kSpanish},
    {"italian", kItalian},
    {"portuguese", kPortuguese},
    {"dutch", kDutch},
    {"swedish", kSwedish},
    {"danish", kDanish},
    {"norwegian", kNorwegian},
    {"finnish", kFinnish},
    {"hungarian", kHungarian},
    {"romanian", kRomanian},
    {"turkish", kTurkish},
    {"russian", kRussian},
});

}  // namespace

std::span<const Language> languages() {
  return kLanguages;
}

std::span<const std::string_view> common_stop_words() {
  return kCommon;
}

}  // namespace blockarch
