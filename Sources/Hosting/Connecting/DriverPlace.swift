import Glibc
import Paging

/// Where an address leads, checked: what the driver is to open, and what it is told before the script's first statement.
struct DriverPlace {
  private let options: [(name: String, value: String)]
  private let isFile: Bool
  private let files: ParquetFiles?

  /// Checks what the permissions say; a host with denied addresses is looked up here, and only what is left is connected to.
  init(_ address: ScriptAddress, isReadOnly: Bool, _ permissions: Permissions) throws(HostFailure) {
    let call = "database.open"
    switch address {
    case .postgresql(let server):
      if let refusal = permissions.checkNet(server.address, for: call) { throw refusal }
      let numeric = try DriverPlace.addresses(of: server, permissions)
      options = [("uri", server.connectionString(numeric: numeric))]
      files = nil
    case .duckDB(let path):
      let file = try permissions.reach(path, to: isReadOnly ? .read : .change, for: call, "open") {
        target throws(SystemError) in
        if isReadOnly { try DriverPlace.checkFile(target.path) }
        return target.path
      }
      options = [("path", file)] + (isReadOnly ? [("access_mode", "READ_ONLY")] : [])
      files = nil
    case .parquet(let path):
      guard isReadOnly else {
        throw HostFailure(
          .invalid,
          "\(address.shown): a Parquet file is read, and never written here (run … -o x.parquet does that)")
      }
      options = [("path", ":memory:")]
      files = try ParquetFiles(path, permissions)
    case .driver(let driver):
      // What a driver reaches with its options is not known here.
      guard permissions.net == Access(.all), permissions.read == Access(.all),
        permissions.write == Access(.all)
      else {
        throw HostFailure(
          .denied, "database.open may not use the driver \(driver.driver): what it reaches is not known here",
          needs: "--allow-all")
      }
      options = driver.options.map { ($0.name, $0.value) }
      files = nil
    }
    isFile = if case .duckDB = address { true } else if case .parquet = address { true } else { false }
  }

  /// The options of the driver's database, whose work on files may take so many bytes of memory.
  ///
  /// Work of DuckDB is charged to the script, so it stays on the thread that is measured; told how much there is, it does not look
  /// for that in files which are out of reach.
  func options(memory: Int) -> [(name: String, value: String)] {
    guard isFile else { return options }
    return options + [
      ("threads", "1"), ("memory_limit", "\(max(memory, 64 << 20))B"),
      ("autoinstall_known_extensions", "false"),
      ("autoload_known_extensions", "false"),
    ]
  }

  /// Prepares a database for the script's first statement. DuckDB reaches files and the net by SQL: that ends here, as far as the
  /// kernel has not ended it already.
  func prepare(_ connection: ADBCConnection) throws {
    guard isFile else { return }
    try files?.prepare(connection)
    // Types that Arrow does not have keep their names, and are not passed on as others.
    try connection.execute("SET arrow_lossless_conversion=true")
    try connection.execute("SET enable_external_access=false")
    try connection.execute("SET lock_configuration=true")
  }

  /// Fails unless it is a regular file.
  static func checkFile(_ path: String) throws(SystemError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(number: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
  }

  /// The numeric addresses of a host that are not denied; empty where none is denied, and libpq looks it up itself.
  private static func addresses(
    of server: ScriptServer, _ permissions: Permissions
  ) throws(HostFailure) -> [String] {
    let (host, port) = (server.address.host.text, server.address.port)
    guard permissions.net.denied != .none else { return [] }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &found)
    guard code == 0 else {
      throw HostFailure(
        .network, "\(server.shown): \(String(cString: gai_strerror(code)))", isTransient: true)
    }
    defer { freeaddrinfo(found) }
    var addresses: [String] = []
    var next = found
    while let one = next {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let flags = NI_NUMERICHOST
      if getnameinfo(one.pointee.ai_addr, one.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, flags)
        == 0
      {
        addresses.append(text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
      }
      next = one.pointee.ai_next
    }
    let allowed = addresses.filter { permissions.mayReach($0, from: "", port: port) }
    guard !allowed.isEmpty else {
      throw HostFailure(.denied, "database.open may not reach \(host): --deny-net forbids its addresses")
    }
    return allowed
  }
}
