import Glibc
import Items
import JSON

/// The list of the parts of a whole run, or share. A line of its own says the version and what comes next, so that it need not be
/// read whole; then a line for each part. One of a run that has only begun has none.
struct PartManifest {
  /// What its first line says.
  struct Head {
    let nextEpoch: Int
    let script: String
    /// Of a share: what it has seen of the list of all partitions.
    let listed: String?
    /// Whether it is the mark of a run that has begun, and not ended.
    let isBegun: Bool
  }

  /// Writes it with these parts, in that order; those that are no longer there are left out. That of a run that has only begun is
  /// locked as long as the file is held.
  @discardableResult
  static func write(
    _ name: String, of folder: PartFolder, script: String, listed: String? = nil, isBegun: Bool = false,
    _ parts: [(id: String, epoch: Int)]
  ) throws(SinkError) -> FileDescriptor? {
    let next = max(folder.firstEpoch, (parts.map(\.epoch).max() ?? 0) + 1)
    var written: FileDescriptor?
    try folder.replace("\(folder.path)/\(name)") { file throws(SystemError) in
      // Before anybody finds it.
      if isBegun { _ = file.withNumber { OutputLock.lock($0) } }
      var json = JSONWriter()
      json.beginObject()
      json.member("version", 1)
      json.member("nextEpoch", next)
      json.member("script", script)
      if let listed { json.member("listed", listed) }
      if isBegun { json.member("state", begun) }
      var text = json.string + ",\"parts\":["
      var (count, items, bytes) = (0, 0, 0)
      for (id, epoch) in parts {
        guard let record = folder.record(of: id, epoch) else { throw SystemError(number: ESTALE) }
        text += (count == 0 ? "\n" : ",\n") + record.text
        (count, items, bytes) = (count + 1, items + record.items, bytes + record.bytes)
        guard text.utf8.count > 1 << 16 else { continue }
        try file.write(text)
        text = ""
      }
      try file.write(text + "\n],\"partitions\":\(count),\"items\":\(items),\"bytes\":\(bytes)}\n")
      try file.synchronize()
      written = file
    }
    return written
  }

  /// What the first line of a manifest says; nil if it is none.
  static func head(of path: String) -> Head? {
    guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return nil }
    let text = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
      let count = (try? file.read(into: room)) ?? 0
      return String(decoding: UnsafeRawBufferPointer(room)[..<count], as: UTF8.self)
    }
    guard let line = text.split(separator: "\n").first, let tree = try? JSONTree(line + "]}"),
      tree["version"]?.number == 1, let next = tree["nextEpoch"]?.number.flatMap({ Int(exactly: $0) })
    else { return nil }
    return Head(
      nextEpoch: next, script: tree["script"]?.text ?? "", listed: tree["listed"]?.text,
      isBegun: tree["state"]?.text == begun)
  }

  private static let begun = "begun"

  /// The ids and epochs of the parts that a manifest lists; nil if it is none.
  static func parts(of path: String) -> [(id: String, epoch: Int)]? {
    guard let text = try? WholeFile.read(path) else { return nil }
    let parts = try? JSONReader.read(text.string) { value in
      value.members.first { $0.key.string == "parts" }?.value.elements.compactMap { part in
        let members = Dictionary(
          part.members.map { ($0.key.string, $0.value.string) }, uniquingKeysWith: { $1 })
        guard let id = members["id"], let epoch = members["epoch"].flatMap({ Int($0) }) else {
          return nil as (id: String, epoch: Int)?
        }
        return (id, epoch)
      }
    }
    return parts ?? nil
  }
}

/// Those beside `manifest.json`, which is that of the last whole run.
extension PartManifest {
  /// The mark of a run that reads all partitions.
  static let ofRun = "manifest.run.json"

  /// That of a share, which was read or is.
  static func name(of shard: Shard) -> String { "manifest.\(shard.index)-of-\(shard.count).json" }

  /// The share whose manifest has that name; nil if it is of none.
  static func shard(named name: String) -> Shard? {
    guard name.hasPrefix("manifest."), name.hasSuffix(".json") else { return nil }
    let words = name.dropFirst("manifest.".count).dropLast(".json".count).split(separator: "-")
    guard words.count == 3, words[1] == "of", let index = Int(words[0]), let count = Int(words[2]),
      count <= 1_000_000
    else { return nil }
    return Shard(index: index, count: count)
  }

  /// A name for the mark of a worker, which no other one has.
  static var ofNewWorker: String { "\(worker)\(String(UInt64.random(in: .min ... .max), radix: 16)).json" }

  /// Whether the name is that of a worker's mark.
  static func isOfWorker(_ name: String) -> Bool { name.hasPrefix(worker) }

  private static let worker = "manifest.work-"

  /// The names of the manifests of shares, and of the marks of runs.
  static func beside(in folder: PartFolder) throws(SinkError) -> [String] {
    try folder.names().filter { name in
      guard name.hasPrefix("manifest."), name.hasSuffix(".json"), name != "manifest.json" else {
        return false
      }
      return shard(named: name) != nil || head(of: "\(folder.path)/\(name)")?.isBegun ?? false
    }.sorted()
  }
}
