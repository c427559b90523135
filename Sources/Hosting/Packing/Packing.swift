import CPacking

/// How a text is packed.
public enum Packing: String, Sendable, CaseIterable {
  case gzip
  case zstd

  /// What the names of its files end in.
  public var ending: String {
    switch self {
    case .gzip: "gz"
    case .zstd: "zst"
    }
  }

  /// The packing that a path's ending names.
  public init?(ofPath path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard !path.hasSuffix("/"), let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    guard let packing = Packing.allCases.first(where: { $0.ending == ending }) else { return nil }
    self = packing
  }

  /// The path without the ending that names its packing.
  static func unpackedName(_ path: String) -> String {
    Packing(ofPath: path).map { String(path.dropLast($0.ending.count + 1)) } ?? path
  }

  var format: cpacking_format {
    switch self {
    case .gzip: CPACKING_GZIP
    case .zstd: CPACKING_ZSTD
    }
  }
}
