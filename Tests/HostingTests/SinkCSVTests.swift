import Foundation
import Hosting
import Items
import Paging
import TestSupport
import Testing

@Suite struct SinkCSVTests {
  private let folder = TemporaryFolder()

  @Test func `cells are quoted where they need it`() throws {
    let json =
      #"{"a":"x,y","b":"say \"hi\"","c":"1\r\n2","d":" x ","e":"","f":null,"g":-1.50,"h":true,"i":"=1+1","j,":"é"}"#

    #expect(
      try csv([[item(1, json)]])
        == "a,b,c,d,e,f,g,h,i,\"j,\"\r\n\"x,y\",\"say \"\"hi\"\"\",\"1\r\n2\", x ,\"\",,-1.50,true,=1+1,é\r\n"
    )
  }

  @Test func `nested values are JSON text`() throws {
    #expect(
      try csv([[item(1, #"{"a":[1,"x"],"b":{"c":null},"d":[]}"#)]])
        == "a,b,d\r\n\"[1,\"\"x\"\"]\",\"{\"\"c\"\":null}\",[]\r\n")
  }

  @Test func `columns are all keys of the first delivery, in order of appearance`() throws {
    #expect(
      try csv([[item(1, #"{"b":1,"a":2}"#), item(2, #"{"c":3,"a":4}"#)], [item(3, #"{"c":5,"b":6}"#)]])
        == "b,a,c\r\n1,2,\r\n,4,3\r\n6,,5\r\n")
  }

  @Test func `a key that comes later gets a column, also in the rows before`() throws {
    #expect(
      try csv([
        [item(1, #"{"a":"x\ny\""}"#)], [item(2, #"{"a":2,"b":"p\r\nq"}"#), item(3, #"{"a":3}"#)],
        [item(4, #"{"c":4}"#)],
      ])
        == "a,b,c\r\n\"x\ny\"\"\",,\r\n2,\"p\r\nq\",\r\n3,,\r\n,,4\r\n")
    #expect(folder.names == ["a.csv"])
  }

  @Test func `a key that comes later is an error where the header can't be changed`() throws {
    let sink = try makeSink(SinkConfiguration(path: "/dev/null", format: .csv))

    sink.answer([item(1, #"{"a":1}"#)])
    sink.answer([item(2, #"{"a":1,"b":1}"#)])
    let report = sink.finish()

    #expect(report.failure?.code == .invalid)
    #expect(
      report.failure?.message
        == "the key \"b\" came after the header of the CSV was written; "
        + "a file (-o FILE.csv) can still be given a wider one, and --format ndjson needs none")
    #expect(report.items == ["items": 1])
  }

  @Test func `a row is never an empty line`() throws {
    #expect(try csv([[item(1, #"{"a":null}"#), item(2, "{}")]]) == "a\r\n\"\"\r\n\"\"\r\n")
  }

  @Test func `items that are no objects are in a column value`() throws {
    #expect(
      try csv([[item(1, "1"), item(2, "\"x\""), item(3, "[1,2]")]]) == "value\r\n1\r\nx\r\n\"[1,2]\"\r\n")
  }

  @Test func `a tag is the last column of the first header`() throws {
    var configuration = SinkConfiguration(path: folder.file("a.csv"))
    configuration.isTagged = true
    let sink = try makeSink(configuration)

    sink.answer([item(1, #"{"a":1}"#)])
    sink.answer([item(2, #"{"a":2}"#)], stream: "b,c")
    _ = sink.finish()

    #expect(folder.text(of: "a.csv") == "a,_stream\r\n1,items\r\n2,\"b,c\"\r\n")
  }

  @Test func `keys that are written differently are one column`() throws {
    #expect(try csv([[item(1, #"{"a":1}"#), item(2, #"{"\u0061":2}"#)]]) == "a\r\n1\r\n2\r\n")
  }

  @Test(arguments: 1...150)
  func `what a reader finds is what the items say`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let keys = (0..<5).map { "\($0)\(random.text())" }
    var rows: [[String: String]] = []
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let used = keys.filter { _ in Int.random(in: 0...4, using: &random) > 0 }
      rows.append(Dictionary(uniqueKeysWithValues: used.map { ($0, random.text()) }))
    }
    let items = try rows.enumerated().map { index, row in
      item(Int64(index), String(decoding: try JSONEncoder().encode(row), as: UTF8.self))
    }
    let split = Int.random(in: 0..<items.count, using: &random)

    let table = parse(try csv([Array(items[...split]), Array(items[(split + 1)...])]))

    let header = try #require(table.first)
    #expect(table.count == rows.count + 1)
    for (row, cells) in zip(rows, table.dropFirst()) {
      #expect(cells.count == header.count)
      for (name, cell) in zip(header, cells) { #expect(row[name] ?? "" == cell) }
      #expect(Set(row.keys).isSubset(of: header))
    }
  }

  @Test func `a safe cell is no formula, and numbers stay`() throws {
    let json =
      #"{"a":"=1+1","b":"@SUM(A1)","c":"+1-2","d":"-cmd","e":-5,"f":"-5","g":"+4.5","h":"\t=1","i":"\n=1","j":"a=1","k":"＝1","#
      + #""=l":"-","m":"=\"x\",y","n":"-1.2.3","o":[-1]}"#
    var configuration = SinkConfiguration(path: folder.file("a.csv"))
    configuration.isCSVSafe = true
    let sink = try makeSink(configuration)

    sink.answer([item(1, json)])
    #expect(sink.finish().failure == nil)

    #expect(
      folder.text(of: "a.csv") == "a,b,c,d,e,f,g,h,i,j,k,'=l,m,n,o\r\n"
        + "'=1+1,'@SUM(A1),'+1-2,'-cmd,-5,-5,+4.5,'\t=1,\"'\n=1\",a=1,'＝1,'-,\"'=\"\"x\"\",y\",'-1.2.3,[-1]\r\n"
    )
  }

  @Test(arguments: [SinkFormat.ndjson, .json, .sqlite])
  func `only a CSV can be made safe`(format: SinkFormat) {
    var configuration = SinkConfiguration(path: "-", format: format)
    configuration.isCSVSafe = true

    #expect(configuration.mistake?.message.hasPrefix("--csv-safe: expected a CSV") == true)
  }

  private func csv(_ deliveries: [[Item]]) throws -> String {
    let sink = try makeSink(SinkConfiguration(path: folder.file("a.csv")))
    for items in deliveries { sink.answer(items) }
    let report = sink.finish()
    #expect(report.failure == nil)
    #expect(report.bytes == folder.text(of: "a.csv").utf8.count)
    return folder.text(of: "a.csv")
  }

  /// RFC 4180's grammar, scalar by scalar.
  private func parse(_ text: String) -> [[String]] {
    var rows: [[String]] = [[]]
    var cell = ""
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"":
        scalars.removeFirst()
        cell.unicodeScalars.append("\"")
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        rows[rows.count - 1].append(cell)
        cell = ""
      case "\r" where !isQuoted:
        scalars.removeFirst()
        rows[rows.count - 1].append(cell)
        rows.append([])
        cell = ""
      default: cell.unicodeScalars.append(scalar)
      }
    }
    rows.removeLast()
    return rows
  }
}
