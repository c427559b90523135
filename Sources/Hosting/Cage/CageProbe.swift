#if DEBUG
  import CCage
  import Glibc

  /// A deliberate hole, for tests of the cage: does what a script must not from inside the process. Debug builds only.
  public enum CageProbe {
    /// The module a script requires to go through the hole.
    public static let module = "cage-probe"

    /// Whether there is something to do.
    public static var isWanted: Bool { getenv("LOOKAHEAD_CAGE_PROBE") != nil }

    /// The file that a process beside the script's tells its results, which has no standard error; open before the cage is
    /// entered. -1 if there is none.
    public static func openFile() -> Int32 {
      guard isWanted, let path = getenv("LOOKAHEAD_CAGE_PROBE_FILE") else { return -1 }
      return Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }

    /// Performs what is listed and writes the results to a file that `openFile` has opened.
    public static func run(into file: Int32) {
      guard file >= 0, let lines = run() else { return }
      _ = lines.withCString { write(file, $0, strlen($0)) }
      close(file)
    }

    /// Performs what `LOOKAHEAD_CAGE_PROBE` lists, such as `execute /bin/echo; read /etc/passwd`, and reports each
    /// result on standard error; nil if it lists nothing.
    public static func run() -> String? {
      guard let listed = getenv("LOOKAHEAD_CAGE_PROBE") else { return nil }
      var lines = ""
      for deed in String(cString: listed).split(separator: ";") {
        let words = deed.split(separator: " ", maxSplits: 1).map(String.init)
        guard let name = words.first else { continue }
        let argument = words.count > 1 ? words[1] : ""
        lines += "probe \(name) \(argument): \(String(cString: ccage_probe(name, argument)))\n"
      }
      return lines
    }
  }
#endif
