import CXML
public import Items
import JSON

/// Reads XML as data: elements, their attributes and texts. Comments and processing instructions are left out.
///
/// Nothing outside of the text is read, and no entity but those of XML itself is known: a text that declares one, or uses one
/// that it does not have, is refused. So is what is nested too deeply.
public struct XMLText {
  /// Why a text is no XML that is read, and where.
  public struct Fault: Error, Equatable {
    public let message: String
    public let line: Int
    public let column: Int
  }

  /// The root element as JSON: `["name",{"attribute":"value"},"text",[element, …]]`. The text is what is directly in the element,
  /// together; without the space around it if there are elements, too.
  public static func json(of text: [UInt8]) throws(Fault) -> Bytes {
    guard text.count <= mostBytes else {
      throw Fault(message: "more than \(mostBytes.grouped) bytes are not read at once", line: 1, column: 1)
    }
    let reading = XMLReading()
    if let fault = reading.read(text) { throw fault }
    guard let root = reading.root else { preconditionFailure("expat found no element and no error") }
    var json = JSONWriter(capacity: text.count)
    root.write(to: &json)
    return json.bytes()
  }

  private static let mostBytes = 64 << 20
}

/// An element, with what it has so far.
private final class XMLElement {
  private let name: String
  private let attributes: [(name: String, value: String)]
  private var text = ByteBuffer(capacity: 16)
  private var elements: [XMLElement] = []

  init(name: String, attributes: [(name: String, value: String)]) {
    self.name = name
    self.attributes = attributes
  }

  func add(_ element: XMLElement) { elements.append(element) }

  func add(text bytes: UnsafeRawBufferPointer) { text.append(bytes) }

  func write(to json: inout JSONWriter) {
    json.beginArray()
    json.text(name)
    json.object { json in
      for attribute in attributes { json.member(attribute.name, attribute.value) }
    }
    json.text(ownText)
    json.beginArray()
    for element in elements { element.write(to: &json) }
    json.endArray()
    json.endArray()
  }

  private var ownText: UnsafeRawBufferPointer {
    let whole = text.contents
    guard !elements.isEmpty else { return whole }
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    let start = whole.firstIndex { !isSpace($0) } ?? whole.endIndex
    let end = whole.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
    return UnsafeRawBufferPointer(rebasing: whole[start..<end])
  }
}

/// One pass of expat over a text.
private final class XMLReading {
  private(set) var root: XMLElement?
  private var open: [XMLElement] = []
  /// What is not read, although it may be XML.
  private var refusal: String?

  func read(_ text: [UInt8]) -> XMLText.Fault? {
    var fault = cxml_fault()
    let isRead = text.withUnsafeBytes { bytes in
      cxml_read(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, listener, &fault)
    }
    if isRead { return nil }
    let reason = fault.reason.map { String(cString: $0) } ?? "unknown error"
    return XMLText.Fault(message: refusal ?? reason, line: Int(fault.line), column: Int(fault.column))
  }

  private var listener: cxml_listener {
    cxml_listener(
      owner: Unmanaged.passUnretained(self).toOpaque(),
      begin: { owner, name, attributes in XMLReading.of(owner).begin(XMLReading.text(name), attributes) },
      end: { owner in XMLReading.of(owner).end() },
      text: { owner, bytes, count in
        XMLReading.of(owner).add(UnsafeRawBufferPointer(start: bytes, count: count))
      },
      entity: { owner, name, isDeclared in
        let name = XMLReading.text(name).escapingControls
        return XMLReading.of(owner).refuse(
          isDeclared
            ? "it declares the entity '\(name)', and entities are not read"
            : "the entity '\(name)' is not known")
      })
  }

  private func begin(_ name: String, _ attributes: UnsafePointer<UnsafePointer<CChar>?>?) -> Bool {
    guard open.count < XMLReading.mostNested else {
      return refuse("elements are nested more than \(XMLReading.mostNested) deep")
    }
    var pairs: [(name: String, value: String)] = []
    if var place = attributes {
      while let name = place[0] {
        pairs.append((String(cString: name), XMLReading.text(place[1])))
        place += 2
      }
    }
    let element = XMLElement(name: name, attributes: pairs)
    if let parent = open.last { parent.add(element) } else { root = element }
    open.append(element)
    return true
  }

  private func end() -> Bool {
    open.removeLast()
    return true
  }

  private func add(_ text: UnsafeRawBufferPointer) -> Bool {
    open.last?.add(text: text)
    return true
  }

  /// Ends the reading.
  private func refuse(_ message: String) -> Bool {
    refusal = message
    return false
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> XMLReading {
    guard let owner else { preconditionFailure("a listener without an owner") }
    return Unmanaged<XMLReading>.fromOpaque(owner).takeUnretainedValue()
  }

  private static func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }

  /// JSON is nested twice as deep.
  private static let mostNested = 400
}
