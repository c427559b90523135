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

  /// What steps have emitted to it is lost, and would not come again.
  static func steps(_ path: String) -> String {
    "\(path.escapingControls) is not as the run before left it, and steps that are done had items in it, which nobody would bring again: "
      + "give it back as it was, or --fresh does all steps anew"
  }

  /// So much comes before it is known where the run goes on that it can't wait.
  static func early(_ path: String) -> String {
    "\(path.escapingControls) has what an earlier run has left, and the script emits a lot before it begins its first step or reading, so that "
      + "nobody knows whether it goes on: emit in a step, or --fresh begins anew"
  }
}
