import Glibc
import Paging

/// The drivers of destinations.
enum DestinationDriver: String {
  case postgresql, duckdb

  /// Loads one; fails with what to do where there is none.
  static func load(_ driver: DestinationDriver) throws(SinkError) -> ADBCDriver {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let path = variable("LOOKAHEAD_DRIVER_\(driver.rawValue.uppercased())")
    guard let path else {
      throw SinkError(HostFailure(.notFound, "no driver for \(driver.rawValue)"))
    }
    do {
      return try ADBCDriver(path: path, python: variable("LOOKAHEAD_DRIVER_PYTHON"))
    } catch {
      throw SinkError(HostFailure(.notFound, error.message))
    }
  }
}
