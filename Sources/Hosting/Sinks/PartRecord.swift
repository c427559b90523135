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
  /// SHA-256 of the last bytes, up to 1024.
  public var digest = ""
  /// The member of a row that has its id; nil is none.
  public var idField: String?
  /// What the source says that members are, in an output that has types.
  public var types: [String: DeclaredType] = [:]
  /// As JSON.
  public var bookmark: String?

  init(id: String, epoch: Int, _ request: ReadingRequest) {
    self.id = id
    self.epoch = epoch
    (source, stream, partition) = (request.source, request.stream, request.partition)
    types = request.items.types
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
    if let written = members["types"]?.0, case .object(let types)? = try? JSONTree(written) {
      self.types = types.compactMapValues { $0.text.flatMap(DeclaredType.init) }
    }
  }
}
