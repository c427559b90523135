import CCage
import Glibc

/// A cage that is entered to see whether it holds: the process can do nothing afterwards but say so and end.
public enum CageTrial {
  /// Enters a cage that grants nothing, tries what it refuses, and returns what was possible all the same.
  public static func run() throws(CageFailure) -> [String] {
    try Cage().enter()
    var possible: [String] = []
    let file = Glibc.open("/etc/passwd", O_RDONLY | O_CLOEXEC)
    if file >= 0 {
      close(file)
      possible.append("open a file")
    }
    let end = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if end >= 0 {
      close(end)
      possible.append("make a socket")
    }
    if startsProgram() { possible.append("start a program") }
    if kill(getppid(), 0) == 0 { possible.append("signal another process") }
    return possible
  }

  private static func startsProgram() -> Bool {
    var child = pid_t()
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(words[0]) }
    guard posix_spawn(&child, "/bin/true", nil, nil, &words, environ) == 0 else { return false }
    waitpid(child, nil, 0)
    return true
  }
}
