#include "history/significance_rules.h"

namespace blockarch {

// A new revision number with every change of what they say.
std::string_view SignificanceRules::built_in_text() {
  return R"rules(blockarch-significance 1
name built-in 2

# Numbers used once: content security policies, forms, sessions.
ignore attribute nonce
ignore attribute data-nonce
ignore attribute integrity
ignore attribute *csrf*
ignore select input[type=hidden]
ignore select meta[name^=csrf]
ignore select meta[name*=csrf-token]
ignore select meta[name=request-id], meta[name=visitor-payload], meta[name=visitor-hmac], meta[name=html-safe-nonce]
ignore parameter *nonce*
ignore parameter *token*
ignore parameter csrf*
ignore parameter authenticity_token
ignore parameter *session*
ignore parameter sid
ignore parameter phpsessid
ignore parameter jsessionid
ignore source ;jsessionid=([0-9A-Za-z._!-]+)

# Versions of scripts, styles and pictures.
ignore parameter v
ignore parameter ver
ignore parameter version
ignore parameter rev
ignore parameter _
ignore parameter cb
ignore parameter ts
ignore parameter timestamp
ignore parameter cachebust*
ignore parameter build*
ignore source [._/-]([0-9a-f]{8,64})\.(?:js|mjs|css|png|jpe?g|gif|svg|webp|avif|ico|woff2?)\b
ignore select script, style, noscript, template
ignore select link[rel=stylesheet], link[rel=preload], link[rel=modulepreload], link[rel=prefetch]
ignore select link[rel=preconnect], link[rel=dns-prefetch]
ignore comments

# Where a visitor came from.
ignore parameter utm_*
ignore parameter fbclid
ignore parameter gclid
ignore parameter mc_?id
ignore parameter ref_src

# Addresses hidden from robots, by a key that is new each time.
ignore attribute data-cfemail
ignore source /cdn-cgi/l/email-protection#([0-9a-f]+)

# When a page was made, in the clock's words; dates are left alone, since a date may be what a page is about.
ignore text (?i)^\s*(?:generated|rendered|served)\s+(?:in|at|on)\b[^.&]{0,60}\d[^<&]{0,40}
ignore text (?i)\b(?:page|site|document)\s+(?:(?:is|was|last)\s+)*(?:generated|rendered|served|created)\s+(?:in|at|on|by)\b[^.&]{0,60}\d[^<&]{0,40}
ignore text (?i)\b\d+\s*(?:sec(?:ond)?|min(?:ute)?|hour|day|week|month|year)s?\s+ago\b
ignore text (?i)\b(?:just now|an? (?:second|minute|hour|day|week|month|year) ago)\b
ignore text \b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?
ignore text \b[012]?\d:[0-5]\d:[0-5]\d\b(?:\s*(?:[AP]M|GMT|UTC|CES?T|E[SD]T|P[SD]T))?
# The year in a copyright line turns with every January.
ignore text (?i)(?:(?:©|&copy;|&#169;)[^<\d]{0,40}|(?:\(c\)|copyright)[\s,:]*)(\d{4}(?:\s*(?:[-–—]|&[mn]dash;)\s*\d{4})?)
# What is left until something ends.
ignore text (?i)\b\d{1,4}\s*d(?:ays?)?[\s:,]*\d{1,2}\s*h(?:(?:ou)?rs?)?[\s:,]*\d{1,2}\s*m(?:in(?:ute)?s?)?(?:[\s:,]*\d{1,2}\s*s(?:ec(?:ond)?s?)?)?
ignore select [role=timer], .countdown, #countdown
ignore attribute datetime
ignore attribute data-time*

# What stands where something is still to come, and the names of icons.
ignore text (?i)^\s*(?:loading|please wait)\s*(?:\.{3}|…|&hellip;)?\s*$
ignore select [role=progressbar]
ignore select svg title, svg desc

# How often it was seen.
ignore text (?i)\b\d[\d.,\x{a0} ]*[kKmM]?\s*(?:page ?)?(?:views?|reads?|hits|visits|visitors|downloads?|likes?|shares?|retweets|followers|subscribers|users? online|members? online|readers)\b
ignore text (?i)\b(?:views?|hits|visits|visitors|page views|visitor number|besucher|aufrufe|vues|lecturas|visitas)\s*:?\s*\d[\d.,\x{a0} ]*
ignore select .view-count, .views-count, .visitor-counter, .hit-counter, #visitor-counter, #hitcounter

# Advertisements.
ignore label ad
ignore select ins.adsbygoogle, iframe[id^=google_ads], div[id^=div-gpt-ad], div[id^=google_ads]

# Names made anew by the program that made the page.
ignore attribute aria-controls
ignore attribute aria-describedby
ignore attribute aria-labelledby
)rules";
}

}  // namespace blockarch
