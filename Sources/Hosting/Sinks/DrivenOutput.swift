import Glibc
import Paging

/// Outputs that are reached through a driver.
extension SinkConfiguration {
  /// Connects to the server, or to what a driver knows; fails if another run writes there, unless it is only looked at.
  func connect(
    _ address: DatabaseAddress, isReadOnly: Bool = false
  ) throws(SinkError) -> any DestinationLink {
    switch address {
    case .postgresql(let address):
      try PostgreSQLLink(
        address, try SinkConfiguration.driver(.postgresql), lockWait: isReadOnly ? nil : lockWait,
        isShared: state.isShared)
    case .driver(let address): try GenericLink(address)
    case .duckDB, .parquet: preconditionFailure("a file is no server")
    }
  }

  /// The driver, loaded; fails with what to do where there is none.
  static func driver(_ kind: DriverKind) throws(SinkError) -> ADBCDriver {
    do throws(HostFailure) {
      return try LoadedDrivers.shared.driver(named: kind.rawValue)
    } catch {
      throw SinkError(error)
    }
  }

  /// The Parquet files at an absolute path; nil for another format.
  func parquet(at path: String) -> ParquetPlace? {
    guard format == .parquet else { return nil }
    let target = path.hasSuffix("/") ? String(path.dropLast()) : path
    return ParquetPlace(target: target, isFolder: isFolder, shown: self.path)
  }

  /// Calls `body` with what the database remembers, and writes what it changes there.
  func withMemory<Result>(
    isReadOnly: Bool, _ body: (Database) throws -> Result
  ) throws(HostFailure) -> Result {
    do throws(SinkError) {
      let link: any DestinationLink
      if let address {
        link = try connect(address, isReadOnly: isReadOnly)
      } else {
        guard let file = (ResolvedPath(path)?.path).map({ parquet(at: $0)?.stage ?? $0 }),
          access(file, F_OK) == 0
        else {
          throw SinkError(HostFailure(.notFound, "\(path.escapingControls): there is no such output"))
        }
        link = try DuckDBLink(file, shown: path, try SinkConfiguration.driver(.duckdb))
      }
      do {
        let store = try DestinationStore(link, hurried: StopFlag())
        try store.begin()
        let result = try body(store.memory)
        if isReadOnly { store.rollBack() } else { try store.commit() }
        return result
      } catch {
        throw link.explain(error)
      }
    } catch {
      throw error.failure
    }
  }
}

extension OutputPlace {
  /// The database of the output; a file is opened now.
  func store(_ hurried: StopFlag) throws(SinkError) -> any RowStore {
    let link: any DestinationLink
    switch way {
    case .server(let server): link = server
    case .file(_, let driver):
      let path = configuration.path
      guard let file = ResolvedPath(path)?.path else {
        throw SinkError(SystemError(number: EINVAL), path: path)
      }
      if let parquet = configuration.parquet(at: file) {
        let state = configuration.state
        link = try ParquetLink(parquet, isFresh: state.isFresh || !state.isKept, driver)
      } else {
        link = try DuckDBLink(file, shown: path, driver)
      }
    case .open, .text, .folder, .database: return try SQLiteStore(configuration)
    }
    do {
      return try DestinationStore(
        link, hurried: hurried, adopts: configuration.adopts, recognizesTimes: configuration.recognizesTimes,
        types: types, isShared: configuration.state.isShared)
    } catch {
      throw link.explain(error)
    }
  }
}
