import CCage
import Glibc

/// What this machine's kernel offers to confine scripts.
public struct CageKernel: Sendable, Equatable {
  /// The version of the Landlock ABI; 0 if unsupported.
  public var landlock: Int
  /// Whether it supports seccomp filters.
  public var filtersCalls: Bool
  /// Whether privileges can be dropped permanently (`PR_SET_NO_NEW_PRIVS`).
  public var hasNoNewPrivileges: Bool
  /// Whether this is a sanitizer build, which no cage can confine.
  public var isSanitized: Bool

  /// A kernel with these features.
  public init(landlock: Int, filtersCalls: Bool, hasNoNewPrivileges: Bool, isSanitized: Bool = false) {
    self.landlock = landlock
    self.filtersCalls = filtersCalls
    self.hasNoNewPrivileges = hasNoNewPrivileges
    self.isSanitized = isSanitized
  }

  /// The running kernel.
  public static var current: CageKernel {
    let kernel = ccage_look()
    return CageKernel(
      landlock: Int(kernel.landlock), filtersCalls: kernel.has_filter,
      hasNoNewPrivileges: kernel.has_no_new_privs, isSanitized: kernel.is_sanitized)
  }

  /// What the cage can't enforce here, in words.
  public var lacks: [String] {
    var lacks: [String] = []
    if isSanitized { return ["a build with a sanitizer has no cage (neither Landlock nor seccomp)"] }
    if !hasNoNewPrivileges { lacks.append("privileges can't be dropped permanently (PR_SET_NO_NEW_PRIVS)") }
    if !filtersCalls {
      lacks.append("calls of the kernel are not filtered: a hole could start programs (seccomp)")
    }
    if landlock < CCAGE_LANDLOCK_FILES {
      lacks.append("files and ports are held by lookahead's own checks alone (no Landlock)")
      return lacks
    }
    let versions = [
      (CCAGE_LANDLOCK_TRUNCATE, "emptying files that may only be read"), (CCAGE_LANDLOCK_TCP, "ports of TCP"),
      (CCAGE_LANDLOCK_DEVICES, "commands to devices"),
      (CCAGE_LANDLOCK_SCOPES, "signals and abstract sockets a second time"),
    ]
    let missing = versions.filter { landlock < $0.0 }.map(\.1)
    if !missing.isEmpty {
      lacks.append("Landlock \(landlock) does not hold \(missing.joined(separator: ", "))")
    }
    return lacks
  }

  /// As a C value.
  var held: ccage_kernel {
    ccage_kernel(
      landlock: Int32(landlock), has_filter: filtersCalls, has_no_new_privs: hasNoNewPrivileges,
      is_sanitized: isSanitized)
  }
}

/// A cage entered to test it: afterwards the process can only report the result and exit.
public enum CageTrial {
  /// Enters a cage that grants nothing, tries what it forbids, and returns what was possible anyway.
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
