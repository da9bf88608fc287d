"""Why a peer is ahead, where one is: the only part of the report that people write."""

WHY = {
    "size": "A solid stream sees everything before it when it compresses a byte, and gives up reading anything alone; restic's "
            "chunks of half a megabyte and more hold many similar pages, which are compressed together and must be read "
            "together.",
    "import": "Ours parses and cuts every page where peers only hash bytes.",
    "pack": "Small stores are dominated by what every run pays once: a new file, synced, and the tables written anew.",
    "checkout": "git is asked by the id of the blob and gives its bytes; ours is asked by URL and date, looks both up, puts the page "
                "together from its blocks and compares it with the hash of the capture.",
    "log": "Short histories measure how fast a process starts: ours is larger and maps the archive first.",
    "diff": "git compares lines; ours parses both pages, finds their blocks and matches them also where they moved.",
    "segment": "The segmenter needs the parser's tree before it begins, so bare lexbor is a limit rather than a rival.",
    "main": "Readability is made for articles; on pages that are mostly an article it is hard to beat.",
    "memory": "Ours uses several threads that each hold pages, and the kernel counts the archive's mapped pages as memory.",
    "scale": "The table compares sizes of one archive; a ratio below 1 means that a larger one costs less for each capture.",
}
