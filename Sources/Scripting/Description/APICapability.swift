/// The permission that a call needs.
public enum APICapability: String, Sendable, CaseIterable {
  /// The network: `--allow-net`.
  case net
  /// Reading files: `--allow-read`.
  case read
  /// Writing files: `--allow-write`.
  case write
  /// Environment variables: `--allow-env`.
  case env
}
