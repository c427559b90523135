import Foundation
import Glibc
import Hosting
import Items
import JSON
import Paging
import TestSupport
import Testing

/// Pages of the list in a JSON file.
@Suite struct FilesListTests {
  private let folder = TemporaryFolder()
  private let files = FileCalls(permissions: .all)

  @Test(arguments: [
    (#"[1,2,3]"#, ""), (#" [ 1 , 2 , 3 ] "#, ""), ("\u{FEFF}[1,2,3]\n", ""), ("1\n2\n\n3", ""),
    ("1 2\r\n3\r\n", ""),
    (#"{"items":[1,2,3]}"#, "items"),
    (#"{"a":{"items":[9]},"b":"]},[","items":[1,2,3],"c":[{"items":1}]}"#, "items"),
    (#"{ "data" : { "x" : "\"}" , "items" : [ 1 , 2 , 3 ] } , "total" : 3 }"#, "data.items"),
    (#"{"\u0069tems":[1,2,3]}"#, "items"),
  ])
  func `a list is found and its elements are those between its brackets`(text: String, at: String) throws {
    let path = folder.write(text, to: "a.json")
    for limit in 1...4 {
      let pages = try pages(of: path, at: at, limit: limit)
      #expect(pages.flatMap(elements) == [.number("1"), .number("2"), .number("3")], "\(limit)")
      #expect(pages.count == (3 + limit - 1) / limit)
    }
  }

  @Test(arguments: ["[]", " [ ] "])
  func `a list may be empty`(text: String) throws {
    #expect(
      try pages(of: folder.write(text, to: "a.json"), at: "", limit: 3).map(\.elements.text.string) == ["[]"])
  }

  @Test func `what is inside of an element stays as it is`() throws {
    let written = [
      #"{"a": "],[ \" \\", "b": [1, {"c": "\\\""}], "n": 1.50}"#, #""a\\""#, "[[],[{}]]", "-1e5", "null",
      "{\n  \"text\": \"é😀\"\n}",
    ]
    let path = folder.write("[\(written.joined(separator: " ,\n"))]", to: "a.json")

    #expect(
      try pages(of: path, at: "", limit: 10).map(\.elements.text.string) == [
        "[\(written.joined(separator: " ,\n"))]"
      ])
    #expect(try pages(of: path, at: "", limit: 1).map(\.elements.text.string) == written.map { "[\($0)]" })
  }

  @Test(arguments: [
    ("[1,2", "", "the end of the file"), ("[1,2,", "", "ends in the middle"),
    ("[1,]", "", "expected a value"),
    ("[,1]", "", "expected a value"), ("[1 2]", "", "expected , or ]"), ("[1]]", "", "expected the end"),
    ("[1] [2]", "", "expected the end"), (#"["a"#, "", "ends in the middle"),
    (#"[{"a":[1}"#, "", "ends in the middle"),
    (#"{"a":1}{"a":2}"#, "", "expected a line break"), (#"{"items":[1]"#, "items", "expected , or }"),
    (#"{"items":[1],"#, "items", "the name of a member"), (#"{"items":[1],"items":[2]}"#, "items", "twice"),
    (#"{"items":[1]} x"#, "items", "expected the end"), (#"{"a":1,"b":2}"#, "items", "the members 'a', 'b'"),
    ("{}", "items", "no members"), (#"{"items":{"a":1}}"#, "items", "expected the list 'items', got {"),
    ("[1]", "items", "expected an object with the member 'items', got ["),
    ("", "items", "the end of the file"),
    (#"{"items":[1],"b":tru"#, "items", "expected , or }"), (#"{"items":[1],"b" 1}"#, "items", "expected :"),
    (#"{"items":[{"id":1}]}"#, "", "say which of its members is the list"),
  ])
  func `a file that is cut or is no such list is never taken for a whole one`(
    text: String, at: String, message: String
  ) throws {
    let path = folder.write(text, to: "a.json")
    for limit in [1, 100] {
      do throws(HostFailure) {
        let pages = try pages(of: path, at: at, limit: limit)
        Issue.record("\(text): \(pages.map(\.elements.text.string))")
      } catch {
        #expect(error.code == .parse)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.message.contains(path))
      }
    }
  }

  @Test(arguments: 1...40)
  func `any list in pages of any size is the list`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func element(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth > 3 ? 3 : 5), using: &random) {
      case 0: return "\(Int.random(in: -1000...1000, using: &random))"
      case 1:
        return #"""#
          + (0..<Int.random(in: 0...(seed % 5 == 0 ? 30_000 : 30), using: &random)).map { _ in
            ["a", "]", "}", ",", #"\""#, #"\\"#, "é", " ", "{"].randomElement(using: &random)!
          }.joined() + #"""#
      case 2: return ["true", "null", "1.50"].randomElement(using: &random)!
      case 3:
        return "["
          + (0..<Int.random(in: 0...4, using: &random)).map { _ in element(depth + 1) }.joined(
            separator: ", ") + "]"
      default:
        return "{"
          + (0..<Int.random(in: 0...4, using: &random)).map { #""k\#($0)": \#(element(depth + 1))"# }.joined(
            separator: ",\n") + "}"
      }
    }
    let written = (0..<Int.random(in: 0...2000, using: &random)).map { _ in element(0) }
    let isSequence = seed % 3 == 0
    let list =
      isSequence
      ? written.map { $0.replacing("\n", with: "") }.joined(separator: "\n")
      : "[\(written.joined(separator: ","))]"
    let text =
      seed % 3 == 1
      ? #"{"before":"# + element(0) + #","data":{"items":"# + list + #"},"after":"# + element(0) + "}" : list
    let path = folder.write(text, to: isSequence ? "a.ndjson" : "a.json")
    let at = seed % 3 == 1 ? "data.items" : ""

    var all: [JSONTree] = []
    for page in try pages(
      of: path, at: at, limit: Int.random(in: 1...300, using: &random), reopens: seed % 2 == 0)
    {
      all += elements(of: page)
    }
    #expect(all == (try written.map { try JSONTree($0) }), "seed \(seed)")
  }

  @Test func `a page goes on where another process left off, unless the file has changed`() throws {
    let path = folder.write(#"{"items":[1,2,3,4]}"#, to: "a.json")
    let first = try page(files, path, "items", nil, 2)
    let others = FileCalls(permissions: .all)

    #expect(try page(others, path, "items", first.next, 2).elements.text == Bytes("[3,4]"))
    _ = folder.write(#"{"items":[1,2,3,4,5]}"#, to: "a.json")
    let failure = others.answer(.listPage(path: path, at: ["items"], from: first.next, limit: 2)).failure
    #expect(failure?.status == 410)
    #expect(failure?.message.contains("has changed") == true)
    #expect(
      files.answer(.listPage(path: path, at: ["items"], from: first.next, limit: 2)).failure?.status == 410)
  }

  @Test(arguments: [Int64.min, -1, 4, 10_000, .max - 1, .max], ["a.json", "a.json.gz"])
  func `a place that was made up is an error`(offset: Int64, name: String) throws {
    let path = folder.write("[1,2,3,{\"a\": 4}]", to: "a.json")
    if name.hasSuffix(".gz") { try Self.pack(path) }
    let file = folder.file(name)
    var place = try #require(try page(files, file, "", nil, 1).next)
    place.offset = offset
    for at in [[], ["items"]] {
      let other = FileCalls(permissions: .all)
      switch other.answer(.listPage(path: file, at: at, from: place, limit: 10)) {
      case .failed(let failure): #expect([.io, .parse].contains(failure.code), "\(failure.message)")
      case let reply: Issue.record("\(offset): \(reply)")
      }
    }
  }

  @Test func `a file that was replaced is read to the end as it was by the one who began`() throws {
    let path = folder.write("[1,2]", to: "a.json")
    let first = try page(files, path, "", nil, 1)
    #expect(rename(folder.write("[7,8]", to: "b.json"), path) == 0)

    #expect(try page(files, path, "", first.next, 1).elements.text == Bytes("[2]"))
  }

  @Test func `two readers of one list do not disturb each other`() throws {
    let path = folder.write("[1,2,3]", to: "a.json")
    let first = try page(files, path, "", nil, 1)
    let other = try page(files, path, "", nil, 1)

    #expect(first == other)
    #expect(try page(files, path, "", first.next, 1).elements.text == Bytes("[2]"))
    #expect(try page(files, path, "", other.next, 2).elements.text == Bytes("[2,3]"))
  }

  @Test(arguments: ["a.json", "a.json.gz"], 1...5)
  func `readers who go on by turns, each with pages of any size, have the whole list`(
    name: String, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let count = 500
    let path = folder.write("[\((0..<count).map(String.init).joined(separator: ","))]", to: "a.json")
    if name.hasSuffix(".gz") { try Self.pack(path) }
    var readers = Array(repeating: (place: FilePlace?.none, found: [JSONTree](), isOver: false), count: 4)
    while let reader = readers.indices.filter({ !readers[$0].isOver }).randomElement(using: &random) {
      let limit = Bool.random(using: &random) ? 20 : Int.random(in: 1...40, using: &random)
      let page = try page(files, folder.file(name), "", readers[reader].place, limit)
      readers[reader].found += elements(of: page)
      readers[reader].place = page.next
      readers[reader].isOver = page.next == nil
    }
    for reader in readers { #expect(reader.found == (0..<count).map { .number("\($0)") }, "seed \(seed)") }
  }

  @Test func `a page that was read ahead is not given when the file has changed since`()
    throws
  {
    let path = folder.write("[1,2,3,4]", to: "a.json")
    let first = try page(files, path, "", nil, 1)
    let second = try page(files, path, "", first.next, 1)
    // Behind a second page like the first the third is read ahead: the thread has done it when it answers another call.
    _ = files.answer(.fileExists(path: path))
    _ = folder.write("[1,2,9,4,5]", to: "a.json")

    #expect(
      files.answer(.listPage(path: path, at: [], from: second.next, limit: 1)).failure?.status == 410)
  }

  @Test func `what is wrong in a page that was read ahead is said when it is asked for`() throws {
    let path = folder.write("[1,2,3 4]", to: "a.json")
    let first = try page(files, path, "", nil, 1)
    let second = try page(files, path, "", first.next, 1)

    #expect(second.elements.text == Bytes("[2]"))
    for _ in 1...2 {
      let failure = files.answer(.listPage(path: path, at: [], from: second.next, limit: 1)).failure
      #expect(failure?.message.contains("expected , or ]") == true)
    }
  }

  @Test func `an element over the limit, a folder and a pipe are refused`() throws {
    let files = FileCalls(permissions: .all, account: ScriptAccount(largestAnswer: 10_000))
    let long = folder.write("[1,\"\(String(repeating: "x", count: 40_000))\"]", to: "long.json")
    let many = folder.write("[\((1...10_000).map(String.init).joined(separator: ","))]", to: "many.json")
    let buffered = folder.write("[1,\"\(String(repeating: "x", count: 11_000))\"]", to: "buffered.json")
    for path in [long, buffered] {
      #expect(files.answer(.listPage(path: path, at: [], from: nil, limit: 2)).failure?.code == .tooLarge)
    }
    #expect(try pages(of: many, at: "", limit: 4000).flatMap(elements).count == 10_000)
    #expect(files.answer(.listPage(path: folder.path, at: [], from: nil, limit: 1)).failure?.code == .io)
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(
      files.answer(.listPage(path: folder.file("pipe"), at: [], from: nil, limit: 1)).failure?.code == .io)
    let denied = FileCalls(permissions: Permissions())
    #expect(denied.answer(.listPage(path: long, at: [], from: nil, limit: 1)).failure?.code == .denied)
  }

  private static func pack(_ path: String) throws {
    let gzip = Process()
    gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
    gzip.arguments = ["-f", path]
    try gzip.run()
    gzip.waitUntilExit()
  }

  private func page(
    _ files: FileCalls, _ path: String, _ at: String, _ place: FilePlace?, _ limit: Int
  ) throws(HostFailure) -> FilePage {
    let names = at.split(separator: ".").map(String.init)
    switch files.answer(.listPage(path: path, at: names, from: place, limit: limit)) {
    case .page(let page): return page
    case .failed(let failure): throw failure
    case let other: throw HostFailure(.invalid, "\(other)")
    }
  }

  private func pages(
    of path: String, at: String, limit: Int, reopens: Bool = false
  ) throws(HostFailure) -> [FilePage] {
    var pages = [try page(files, path, at, nil, limit)]
    while let place = pages.last?.next {
      pages.append(try page(reopens ? FileCalls(permissions: .all) : files, path, at, place, limit))
    }
    return pages
  }

  private func elements(of page: FilePage) -> [JSONTree] {
    let tree = page.elements.text.withUnsafeBytes { JSONTree($0) }
    guard case .list(let elements)? = tree else { return [] }
    return elements
  }
}
