/// A driver on this machine, found by the name of its file and not loaded.
public struct FoundDriver: Sendable, Equatable {
  /// Such as `postgresql`.
  public let name: String
  public let path: String
  /// As the package that brought it says; nil if nothing does.
  public let version: String?
  /// The function that it exports; nil for the usual names.
  let entry: String?
  /// Python's own library, where the driver is a module of Python.
  let python: String?

  /// A driver in a file.
  init(name: String, path: String, version: String? = nil, entry: String? = nil, python: String? = nil) {
    self.name = name
    self.path = path
    self.version = version
    self.entry = entry ?? DriverKind(rawValue: name)?.entry
    self.python = python
  }

  /// Loads it; a second time is another table of the same library.
  public func load() throws(ADBCError) -> ADBCDriver {
    try ADBCDriver(path: path, entry: entry, python: python)
  }
}
