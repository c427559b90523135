import CADBC

/// What a driver, or the database behind it, says against a call.
public struct ADBCError: Error, Sendable, Equatable {
  /// The kind of a failure, as ADBC numbers them.
  public enum Status: UInt8, Sendable {
    case unknown = 1
    case notImplemented, notFound, alreadyExists, invalidArgument, invalidState, invalidData, integrity
    case `internal`, io, cancelled, timeout, unauthenticated, unauthorized
  }

  public let status: Status
  /// The driver's own words; they may hold what it was given, such as an address with a password.
  public let message: String
  /// The code of the SQL standard with five characters, if the database gives one.
  public let sqlState: String?

  /// An error of ours about a driver.
  init(_ status: Status, _ message: String, sqlState: String? = nil) {
    self.status = status
    self.message = message
    self.sqlState = sqlState
  }

  /// What the driver says, which stays its own.
  init(_ code: AdbcStatusCode, _ error: AdbcError) {
    status = Status(rawValue: code) ?? .unknown
    let text = error.message.map { String(cString: $0) } ?? ""
    message = text.isEmpty ? "the driver says no more than: \(status)" : text
    let state = withUnsafeBytes(of: error.sqlstate) { [UInt8]($0) }
    sqlState = state.allSatisfy { $0 == 0 } ? nil : String(decoding: state, as: UTF8.self)
  }

  /// Makes a call of the driver and throws what it says.
  static func check(
    _ call: (UnsafeMutablePointer<AdbcError>) -> AdbcStatusCode
  ) throws(ADBCError) {
    var error = cadbc_error()
    let code = call(&error)
    defer { error.release?(&error) }
    guard code == 0 else { throw ADBCError(code, error) }
  }
}
