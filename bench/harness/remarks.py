"""What differs where a peer is ahead: the only part of the report that people write. It says what each side does; how much
of the difference that explains is only said where it was measured."""

WHY = {
    "size": "A solid stream sees everything before it when it compresses a byte, and gives up reading anything alone; restic's "
            "chunks of half a megabyte and more hold many similar pages, which are compressed together and must be read "
            "together.",
    "import": "Ours parses and cuts every page where peers only hash bytes.",
    "pack": "What ours does more (its share was not measured): `pack --all` also writes the tables of the archive anew and syncs every "
            "file.",
    "checkout": "git gives the bytes of a blob as they come out of its pack; ours puts the page together from its blocks and, the "
                "first time that a process reads it, hashes it to compare it with the capture's hash. A frame of ours holds two "
                "megabytes, which take about a millisecond when they are first needed. Where each answer is a process of its own, "
                "starting ours costs some milliseconds more.",
    "log": "Each answer is a process of its own, and starting ours costs more: on the machine where this was written `blockarch "
           "--version` took 6 ms of processor time and `git --version` 1.6 ms.",
    "diff": "git compares lines; ours parses both pages, finds their blocks and matches them also where they moved.",
    "segment": "Bare lexbor only builds its tree; ours runs lexbor too, and cuts the page by what it found.",
    "main": "",
    "memory": "What ours has more (shares were not measured): several threads that each hold pages, and the archive's mapped pages, which "
              "the kernel counts.",
    "scale": "The table compares sizes of one archive; a ratio below 1 means that a larger one costs less for each capture.",
}
