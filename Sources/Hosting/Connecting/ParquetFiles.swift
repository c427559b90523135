import Glibc
import Items
import JSON
import Paging

/// The Parquet files that an address names, as DuckDB's view `data`.
///
/// DuckDB reads file names as patterns, takes members from the names of folders, and imposes the types of the first file on all. So
/// the files are found here, and where their types differ, each is read by its own and widened to one that loses nothing.
struct ParquetFiles {
  private struct File {
    /// What DuckDB calls it: its path, or where that would be a pattern, its descriptor, which is kept open.
    let path: String
    let name: String
    private let descriptor: FileDescriptor?

    init(_ target: ResolvedPath) throws(SystemError) {
      try DriverPlace.checkFile(target.path)
      name = (target.names.last.map { String(decoding: $0, as: UTF8.self) } ?? "").escapingControls
      descriptor = isPattern(target.path) ? try FileDescriptor.open(target, FileDescriptor.path) : nil
      path = descriptor?.withNumber { "/proc/self/fd/\($0)" } ?? target.path
    }
  }

  private typealias Column = (name: String, type: String)
  private typealias Group = (files: [File], columns: [Column])

  /// Sorted.
  private let files: [File]

  /// The file of that name, or those that match it as a pattern, as far as they may be read.
  init(_ path: String, _ permissions: Permissions) throws(HostFailure) {
    let slash = path.lastIndex(of: "/")
    let pattern = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
    if !isPattern(pattern) {
      files = [try ParquetFiles.find(path, permissions)]
    } else if let file = try? ParquetFiles.find(path, permissions) {
      files = [file]
    } else {
      let folder = slash.map { String(path[...$0]) } ?? "./"
      let names = try permissions.reach(folder, to: .read, for: "database.open", "list") {
        target throws(SystemError) in
        try FileDescriptor.open(target, O_RDONLY | O_DIRECTORY | O_NONBLOCK).names(upTo: 64 << 20)
      }
      // As a shell has it: a name that begins with a dot is matched by a dot.
      let found = (names ?? []).map { String(decoding: $0, as: UTF8.self) }
        .filter { fnmatch(pattern, $0, FNM_PERIOD) == 0 }.sorted()
      guard !found.isEmpty else {
        throw HostFailure(.notFound, "can't open \(path.escapingControls): no file has such a name")
      }
      var files: [File] = []
      for name in found { files.append(try ParquetFiles.find(folder + name, permissions)) }
      self.files = files
    }
  }

  /// Makes the view, and lets DuckDB reach the files, and no others from when it reaches nothing else.
  func prepare(_ connection: ADBCConnection) throws {
    try connection.execute("SET allowed_paths=[\(ParquetFiles.list(files))]")
    var groups: [Group] = []
    for file in files {
      let columns = try ParquetFiles.columns(of: ParquetFiles.reading([file]), connection)
      if let index = groups.firstIndex(where: { $0.columns.elementsEqual(columns, by: ==) }) {
        groups[index].files.append(file)
      } else {
        groups.append(([file], columns))
      }
    }
    try connection.execute("CREATE VIEW data AS \(try ParquetFiles.query(groups, connection))")
  }

  /// A query for the rows of all files: members that a file does not have are null.
  private static func query(_ groups: [Group], _ connection: ADBCConnection) throws -> String {
    guard groups.count > 1 else { return reading(groups[0].files) }
    let all = groups.map { reading($0.files) }.joined(separator: " UNION ALL BY NAME ")
    let common = try columns(of: all, connection).map { column in
      // In single precision a whole number would be written as the shortest text of that.
      let isSingle =
        column.type == "FLOAT"
        && groups.contains { $0.columns.contains { $0.name == column.name && $0.type != column.type } }
      return isSingle ? Column(name: column.name, type: "DOUBLE") : column
    }
    return try groups.map { group in
      let selected = try group.columns.map { try expression(of: $0, in: group, as: common, of: groups) }
      return "SELECT \(selected.joined(separator: ", ")) FROM (\(reading(group.files)))"
    }.joined(separator: " UNION ALL BY NAME ")
  }

  /// A column of a group in the type that it has in all; a value that does not survive that is an error when it is read.
  private static func expression(
    of column: Column, in group: Group, as common: [Column], of groups: [Group]
  ) throws(HostFailure) -> String {
    let (name, shown) = (column.name.asIdentifier, column.name.escapingControls)
    guard let target = common.first(where: { $0.name == column.name }) else {
      throw HostFailure(
        .database,
        "\(group.files[0].name) has the column \(shown), and another file has it in other letters, large or small: open them one by one"
      )
    }
    guard target.type != column.type else { return name }
    guard isWidened(column.type, to: target.type) else {
      var seen: Set<String> = []
      let types = groups.compactMap { group in
        group.columns.first { $0.name == column.name && seen.insert($0.type).inserted }
          .map { "\($0.type) in \(group.files[0].name)" }
      }
      throw HostFailure(
        .database,
        "the column \(shown) is \(types.joined(separator: ", ")), and no type keeps all values as they are: open the files one by one"
      )
    }
    // The shortest text of a single-precision number is what people have written.
    let value = column.type == "FLOAT" ? "CAST(\(name) AS VARCHAR)" : name
    let widened = "TRY_CAST(\(value) AS \(target.type))"
    let problem =
      "the column \(shown), which is \(column.type) in \(group.files[0].name), has a value that \(target.type), its type for all "
      + "files, does not hold: open the files one by one"
    return """
      CASE WHEN TRY_CAST(\(widened) AS \(column.type)) IS DISTINCT FROM \(name) THEN error(\(problem.asLiteral)) \
      ELSE \(widened) END AS \(name)
      """
  }

  /// Whether values of a type, where they fit, are in the other what they were.
  private static func isWidened(_ type: String, to other: String) -> Bool {
    switch (kind(of: type), kind(of: other)) {
    case ("NULL", _), ("INTEGER", "REAL"), ("INTEGER", "DECIMAL"), ("DATE", "TIMESTAMP"): true
    case (let kind?, let other?): kind == other
    default: false
    }
  }

  private static func kind(of type: String) -> String? {
    switch type {
    case "\"NULL\"": "NULL"
    case "FLOAT", "DOUBLE": "REAL"
    case "DATE": "DATE"
    case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS": "TIMESTAMP"
    case "INTEGER", "UINTEGER": "INTEGER"
    default:
      type.hasPrefix("DECIMAL(") && type.hasSuffix(")")
        ? "DECIMAL" : type.hasSuffix("INT") && !type.contains(" ") ? "INTEGER" : nil
    }
  }

  private static func columns(of query: String, _ connection: ADBCConnection) throws -> [Column] {
    let rows = try ArrowRows(try connection.query("DESCRIBE \(query)")).all(upTo: 64 << 20)
    guard let rows, case .list(let columns)? = rows.text.withUnsafeBytes({ JSONTree($0) }) else { return [] }
    return columns.map { ($0["column_name"]?.text ?? "", $0["column_type"]?.text ?? "") }
  }

  private static func reading(_ files: [File]) -> String {
    "SELECT * FROM read_parquet([\(list(files))], hive_partitioning = false)"
  }

  private static func list(_ files: [File]) -> String {
    files.map(\.path.asLiteral).joined(separator: ", ")
  }

  private static func find(_ path: String, _ permissions: Permissions) throws(HostFailure) -> File {
    try permissions.reach(path, to: .read, for: "database.open", "open") { target throws(SystemError) in
      try File(target)
    }
  }
}

private func isPattern(_ name: String) -> Bool { name.contains { "*?[\\".contains($0) } }
