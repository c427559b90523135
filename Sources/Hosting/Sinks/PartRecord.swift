import JSON
public import Paging

/// What is noted of a part that is whole: a line of JSON.
public struct PartRecord: Sendable, Equatable {
  public var id: String
  public var source: String
  /// Nil is the only stream.
  public var stream: String?
  /// Which part of the source that is, as JSON; empty where there is one only.
  public var partition: String
  public var epoch: Int
  public var items = 0
  public var pages = 0
  public var bytes = 0
  /// What earlier runs have brought of it, which comes before what this one did: the epoch of each, and the bytes behind its last.
  var earlier: [Stretch] = []
  /// SHA-256 of the last bytes, up to 1024.
  public var digest = ""
  /// The member of a row that has its id; nil is none.
  public var idField: String?
  /// What the source says that members are, in an output that has types.
  public var types: [String: DeclaredType] = [:]
  /// As JSON.
  public var bookmark: String?

  /// The lines of one run.
  struct Stretch: Sendable, Equatable {
    let epoch: Int
    let bytes: Range<Int>
  }

  init(id: String, epoch: Int, _ request: ReadingRequest) {
    self.id = id
    self.epoch = epoch
    (source, stream, partition) = (request.source, request.stream, request.partition)
    types = request.items.types
  }

  /// What each run has brought, in order.
  var stretches: [Stretch] {
    let start = earlier.last?.bytes.upperBound ?? 0
    return start < bytes ? earlier + [Stretch(epoch: epoch, bytes: start..<bytes)] : earlier
  }

  /// The file of its rows, in the folder of parts.
  public var file: String { "\(id).\(epoch).ndjson" }

  /// One line.
  var text: String {
    var json = JSONWriter()
    json.object { json in
      json.member("id", id)
      json.member("source", source)
      if let stream { json.member("stream", stream) }
      json.key("parameters")
      json.raw(text: partition.isEmpty ? "{}" : partition)
      json.member("epoch", epoch)
      json.member("file", "parts/\(file)")
      json.member("items", items)
      json.member("pages", pages)
      json.member("bytes", bytes)
      json.member("digest", digest)
      if !earlier.isEmpty {
        json.key("earlier")
        json.raw(text: "[\(earlier.map { "[\($0.epoch),\($0.bytes.upperBound)]" }.joined(separator: ","))]")
      }
      if let idField { json.member("idField", idField) }
      if !types.isEmpty {
        json.member("types") { json in
          for (member, type) in types.sorted(by: { $0.key < $1.key }) { json.member(member, type.name) }
        }
      }
      if let bookmark {
        json.key("bookmark")
        json.raw(text: bookmark)
      }
    }
    return json.string
  }

  /// Nil unless the text is one of a part with that name.
  init?(_ text: String, id: String, epoch: Int) {
    let read = try? JSONReader.read(text) { value in
      Dictionary(
        value.members.map {
          ($0.key.string, (String(decoding: $0.value.written, as: UTF8.self), $0.value.string))
        },
        uniquingKeysWith: { $1 })
    }
    guard let members = read, members["id"]?.1 == id, let source = members["source"]?.1,
      let parameters = members["parameters"]?.0, let digest = members["digest"]?.1
    else { return nil }
    func count(_ name: String) -> Int? { members[name].flatMap { Int($0.0) } }
    guard count("epoch") == epoch, let items = count("items"), let pages = count("pages"),
      let bytes = count("bytes")
    else { return nil }
    (self.id, self.epoch, self.source, self.digest) = (id, epoch, source, digest)
    (self.items, self.pages, self.bytes) = (items, pages, bytes)
    (stream, idField, bookmark) = (members["stream"]?.1, members["idField"]?.1, members["bookmark"]?.0)
    partition = parameters == "{}" ? "" : parameters
    earlier = members["earlier"].flatMap { PartRecord.stretches($0.0, upTo: bytes) } ?? []
    if let written = members["types"]?.0, case .object(let types)? = try? JSONTree(written) {
      self.types = types.compactMapValues { $0.text.flatMap(DeclaredType.init) }
    }
  }

  /// Nil unless each comes behind the one before.
  private static func stretches(_ text: String, upTo bytes: Int) -> [Stretch]? {
    let pairs = try? JSONReader.read(text) {
      $0.elements.map { $0.elements.map { $0.integer.flatMap { Int(exactly: $0) } } }
    }
    var (stretches, start) = ([Stretch](), 0)
    for pair in pairs ?? [] {
      guard pair.count == 2, let epoch = pair[0], let end = pair[1], start < end, end <= bytes else {
        return nil
      }
      stretches.append(Stretch(epoch: epoch, bytes: start..<end))
      start = end
    }
    return stretches
  }
}
