import Glibc
public import Paging

/// Standard output and standard error, which have names of files too: what is written under such a name goes behind all that the stream
/// has written, whatever it is.
public enum StandardStream: Int32, Sendable, CaseIterable {
  case output = 1
  case errors = 2

  /// The stream of that name; nil for the name of anything else.
  public init?(path: String) {
    switch path {
    case "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1": self = .output
    case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2": self = .errors
    default: return nil
    }
  }

  /// In messages.
  public var name: String {
    switch self {
    case .output: "standard output"
    case .errors: "standard error"
    }
  }

  /// The name that stands for all of its names.
  var path: String {
    switch self {
    case .output: "-"
    case .errors: "/dev/stderr"
    }
  }

  /// Why nothing is written to a file by its own name: a stream goes there, and each would write over the other. Nil where it may.
  public static func refusal(of path: String) -> HostFailure? {
    var status = stat()
    guard StandardStream(path: path) == nil, stat(path, &status) == 0,
      let stream = StandardStream(behindWhich: status)
    else { return nil }
    return HostFailure(
      .invalid,
      "\(path.escapingControls): that is where \(stream.name) goes, and would be written over")
  }

  /// The stream that goes to the file with that status; nil unless it is a regular file, and one does.
  init?(behindWhich status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    let found = StandardStream.allCases.first { stream in
      var own = stat()
      return fstat(stream.rawValue, &own) == 0 && own.st_dev == status.st_dev && own.st_ino == status.st_ino
    }
    guard let found else { return nil }
    self = found
  }
}
