/// The program's version, for users and servers.
enum Release {
  static let name = "lookahead"
  static let version = "0.1.0"
}
