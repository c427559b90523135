/// Why a reading can't go to a text that is there, and what to do.
enum TextRefusal {
  /// Items of other readings stay in it.
  static func mixed(_ source: String, _ path: String) -> String {
    "source '\(source.escapingControls)' is read anew, and what it brought to \(path.escapingControls) before can't be taken out, as "
      + "other items there stay: -o FOLDER/ has a file for each stream, --write append keeps all readings, and --fresh writes it anew"
  }

  /// It is of no run that remembers.
  static func foreign(_ path: String) -> String {
    "\(path.escapingControls) was not written by a run that can be added to, so nothing is added to it: name another -o, or --fresh "
      + "writes it anew"
  }

  /// Somebody has changed it.
  static func changed(_ path: String) -> String {
    "\(path.escapingControls) is not as the last reading left it, so nothing is added to it: --fresh writes it anew, and another -o "
      + "leaves it as it is"
  }
}
