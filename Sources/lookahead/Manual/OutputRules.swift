/// What becomes of an output: the section OUTPUT of the manual.
enum OutputRules {
  /// What is said, under its title.
  static let all: [(title: String, text: String)] = [
    (
      "Old or new",
      "A text is written beside its place, as FILE.partial, and takes its name (fsync, rename) when the run ends well; --limit and "
        + "--max-pages end it well. Whoever opens FILE finds the old contents or the new ones. In a folder every stream has a "
        + "file, and all of them take their names at the end. A symlink stays one; owner and mode are those of the old file."
    ),
    (
      "A run that fails",
      "After a failure or an interrupt an old file is as it was, byte for byte, and FILE.partial has what the run wrote, complete "
        + "(JSON has its bracket); a line behind the error says so. Where there was no old file, what the run wrote takes the name. "
        + "A killed run leaves FILE.partial as it is. The next run that brings items begins it anew."
    ),
    (
      "Databases",
      "Rows that are new come as the run goes on. As soon as a table is written that had rows before, all that follows is one "
        + "transaction: it is committed at the end of the run, and a run that fails, or is killed, changes nothing of them. Other "
        + "writers of that database wait meanwhile."
    ),
    (
      "With --refresh",
      "The output takes its place after the first reading. From then on each delivery is written at once, in whole items: JSON is "
        + "closed after each, and a CSV that needs another column is replaced as a whole."
    ),
    (
      "Pipes and devices",
      "They are written as they are, and so is a file in a folder that can't be written, which is told."
    ),
    (
      "Locks",
      "A second run on an output that is being written ends with 73 before it asks for anything, and names the process. The lock "
        + "(flock) is on the file or the folder itself: a process that is gone holds none. Reports (--trace, --record, --summary) "
        + "are locked too."
    ),
    (
      "Formulas in CSV",
      "Spreadsheets calculate cells that begin with = + - or @, also in a CSV, and such a formula can send what is in other cells "
        + "elsewhere. Items come from other people, so for a spreadsheet use --csv-safe: it puts an apostrophe before such texts, "
        + "and before those that begin with a tab or a line break. Numbers stay, -5 too. Without it a CSV has what the items have."
    ),
  ]
}
