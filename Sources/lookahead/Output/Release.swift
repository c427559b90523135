/// Which program this is, for those who ask and for servers.
enum Release {
  static let version = "0.1.0"
}
