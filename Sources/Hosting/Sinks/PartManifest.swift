import Glibc
import Items
import JSON

/// The list of the parts of a whole run. A line of its own says the version and what comes next, so that it need not be read
/// whole; then a line for each part.
struct PartManifest {
  /// What its first line says.
  struct Head {
    let nextEpoch: Int
    let script: String
    /// Of a share: what it has seen of the list of all partitions.
    let listed: String?
  }

  /// Writes it with these parts, in that order; those that are no longer there are left out.
  static func write(
    _ name: String, of folder: PartFolder, script: String, listed: String? = nil,
    _ parts: [(id: String, epoch: Int)]
  ) throws(SinkError) {
    let next = max(folder.firstEpoch, (parts.map(\.epoch).max() ?? 0) + 1)
    try folder.replace("\(folder.path)/\(name)") { file throws(SystemError) in
      var json = JSONWriter()
      json.beginObject()
      json.member("version", 1)
      json.member("nextEpoch", next)
      json.member("script", script)
      if let listed { json.member("listed", listed) }
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
    }
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
    return Head(nextEpoch: next, script: tree["script"]?.text ?? "", listed: tree["listed"]?.text)
  }

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
