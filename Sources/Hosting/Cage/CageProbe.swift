#if DEBUG
  import CCage
  import Glibc

  /// A deliberate hole, for tests of the cage: does what a script must not from inside the process. Debug builds only.
  public enum CageProbe {
    /// The module a script requires to go through the hole.
    public static let module = "cage-probe"

    /// Whether there is something to do.
    public static var isWanted: Bool { getenv("LOOKAHEAD_CAGE_PROBE") != nil }

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
