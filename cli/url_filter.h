// --host and --subdomains, which several commands take.
#pragma once

#include "engine/snapshot.h"

namespace blockarch {

// Brings the host into the form in which hosts are kept ("Bücher.Example" → "xn--bcher-kva.example"); `invalid` where it
// is none, or where --subdomains stands alone.
Result<void> settle_host(UrlFilter& filter);

}  // namespace blockarch
