/// What a call needs to be granted before it does anything.
public enum APICapability: String, Sendable, CaseIterable {
  /// The network: `--allow-net`.
  case net
  /// Reading files: `--allow-read`.
  case read
  /// Writing files: `--allow-write`.
  case write
  /// Variables of the environment: `--allow-env`.
  case env
}
