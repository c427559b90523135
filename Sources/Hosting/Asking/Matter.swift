/// What is sent to the process that asks, and how: the text names the thing, and is read there again.
enum Matter: Int32 {
  case variable, file, folder, origin
  /// The descriptor of a file or folder that was allowed.
  case open
  /// A connection to an origin that was allowed.
  case connect

  /// The matter of a question.
  init(_ want: Want) {
    switch want {
    case .variable: self = .variable
    case .file: self = .file
    case .folder: self = .folder
    case .origin: self = .origin
    }
  }

  /// What the text means; nil if it is not exactly the name of something.
  func want(_ text: String) -> Want? {
    switch self {
    case .variable: text.isEmpty ? nil : .variable(text)
    case .file, .open: ResolvedPath(text).flatMap { $0.path == text ? .file($0) : nil }
    case .folder: ResolvedPath(text).flatMap { $0.path == text ? .folder($0) : nil }
    case .origin, .connect: (try? HTTPAddress(text)).flatMap { $0.origin == text ? .origin($0) : nil }
    }
  }
}

extension Want {
  /// Its name between the processes.
  var text: String {
    switch self {
    case .variable(let name): name
    case .file(let path), .folder(let path): path.path
    case .origin(let address): address.origin
    }
  }

  /// Whether a person can be asked for it: devices and what there is of processes are left to the options.
  var canBeAsked: Bool {
    switch self {
    case .variable(let name): !name.isEmpty && !name.utf8.contains(0)
    case .file(let path), .folder(let path):
      !["dev", "proc", "sys"].contains { (root: String) in path.names.first?.elementsEqual(root.utf8) == true
      }
        && path.names.allSatisfy { String(validating: $0, as: UTF8.self) != nil }
    case .origin: true
    }
  }
}
