/// The program's version, for users and servers.
enum Release {
  static let version = "0.1.0"
}
