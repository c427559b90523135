import Hosting
import Items
import Paging
import TestSupport
import Testing

/// Types that a source declares for its columns.
@Suite(.enabled(if: Destination.isPossible, Destination.need)) struct DeclaredTypeTests {
  private static let types = [
    "i": "integer", "r": "double", "b": "boolean", "d": "date", "at": "timestamp", "j": "json", "t": "text",
    "m": "decimal(18,2)", "never": "decimal(5, 0)",
  ]

  @Test(arguments: Destination.Kind.allCases)
  func `values that say the same in another form are taken`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)

    let report = try destination.write(
      [
        item(
          1,
          #"{"id":1,"i":"12","r":1,"b":"true","d":"2024-02-29","at":"2026-11-25T13:30:00+02:00","j":"x","t":"2024-01-01","m":1e3}"#
        ),
        item(
          2,
          #"{"id":2,"i":3.0,"r":"2.5","b":0,"d":null,"at":"2026-11-25 13:30","j":7,"t":{"a":1},"m":"-0.50"}"#),
      ], types: Self.types)

    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    let text = kind == .postgresql ? "text" : "varchar"
    let rows = try destination.rows(
      "select i, cast(r as \(text)), b::int, d, extract(hour from \"at\")::int, cast(j as \(text)), replace(t, ' ', ''), "
        + "cast(m as \(text)), never from items order by id")
    #expect(
      rows.map { $0.replacing("|1.0|", with: "|1|") } == [
        #"12|1|1|2024-02-29|11|"x"|2024-01-01|1000.00|NULL"#, #"3|2.5|0|NULL|13|7|{"a":1}|-0.50|NULL"#,
      ])
    let columns = try destination.columns()
    for type in kind == .postgresql
      ? ["m numeric", "never numeric", "j jsonb"] : ["m decimal(18,2)", "never decimal(5,0)", "j json"]
    {
      #expect(columns.contains(type), "\(columns)")
    }
  }

  @Test(arguments: [
    ("i", "1.5"), ("i", #""x""#), ("i", #""""#), ("i", #""007""#), ("i", "9223372036854775808"),
    ("i", "true"),
    ("r", #""nan""#), ("r", "9007199254740993"), ("r", "1e999"), ("b", "2"), ("b", #""yes""#),
    ("d", #""2024-02-30""#), ("d", #""2024-01-01T00:00:00Z""#), ("at", #""2024-01-01""#),
    ("at", "1732541400"),
    ("at", #""2026-11-25T13:30:00.1234567Z""#), ("at", #""2026-11-25T25:30:00Z""#), ("m", "0.125"),
    ("m", "12345678901234567"), ("m", #""1,5""#), ("never", "100000"), ("m", "[1]"),
  ])
  func `a value that would lose something is an error with item, column and value, and never a null`(
    member: String, value: String
  ) throws {
    for kind in Destination.Kind.allCases {
      let destination = try Destination(kind)

      let report = try destination.write(
        [item(1, #"{"id":1}"#), item(7, #"{"id":7,"\#(member)":\#(value)}"#)], types: Self.types)

      let message = report.failure?.message ?? "nothing"
      #expect(
        message.contains(
          "the item 7 of items has \(value) for the column \(member), which the source declares as "),
        "\(message)")
    }
  }

  @Test(arguments: Destination.Kind.allCases)
  func `a double is taken however it is written, and what is none is refused`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    let doubles = [
      "1.2345678901234567e+20", "1e22", "-1.7976931348623157e308", "9007199254740994", "18014398509481984.0",
      "9223372036854775808", "-170141183460469231731687303715884105728", "123456789012345680000", "0.1",
      "5e-324", "0.10000000000000001", "4.9406564584124654e-324", "12345678901234.566", "1.50", "0e-400",
      #""0.30000000000000004""#, "0.1e1",
    ]
    let none = [
      "9007199254740993", "9007199254740993.0", "9223372036854775809", "1.2345678901234569e+20",
      "12345678901234.567", "1e-400", "4.7e-324", "0.1000000000000000055", "1764320507.1234568",
      #""12345678901234.567""#, #""1e-400""#, #""0.1000000000000000055""#,
    ]

    let report = try destination.write(
      doubles.enumerated().map { item(Int64($0.offset), #"{"id":\#($0.offset),"v":\#($0.element)}"#) },
      types: ["v": "double"])
    let refusals = try none.map { value in
      try Destination(kind).write([item(1, #"{"id":1,"v":\#(value)}"#)], types: ["v": "double"]).failure
    }

    #expect(report.failure == nil, "\(report.failure?.message ?? "")")
    #expect(
      try destination.rows("select v from items order by id").compactMap(Double.init)
        == doubles.map { Double($0.filter { $0 != "\"" })! })
    for (value, refusal) in zip(none, refusals) {
      #expect(
        refusal?.message.contains("has \(value) for the column v") == true,
        "\(value) \(refusal?.message ?? "")")
    }
  }

  @Test(arguments: DestinationTests.databases)
  func `a column that is there gets the declared type, or the run says why not`(kind: Destination.Kind) throws
  {
    let destination = try Destination(kind)
    _ = try destination.write([item(1, #"{"id":1,"a":1,"b":"x","c":1,"d":"2024-01-01T00:00:00Z"}"#)])

    let lossless = try destination.write(
      [item(2, #"{"id":2,"a":"x","c":0.5,"d":"2024-01-01T00:00:00.25Z"}"#)],
      types: ["a": "text", "c": "double", "d": "timestamp"])
    let refused = try destination.write([item(3, #"{"id":3,"b":1}"#)], types: ["b": "integer"])

    #expect(lossless.failure == nil, "\(lossless.failure?.message ?? "")")
    #expect(try destination.rows("select id, a, b from items order by id") == ["1|1|x", "2|x|NULL"])
    #expect(
      refused.failure?.message.contains(
        "has a column b of the type text, and the source declares it as integer") == true,
      "\(refused.failure?.message ?? "")")
  }

  @Test(arguments: DestinationTests.databases)
  func `a declared decimal stays exact where a later run declares nothing`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)
    _ = try destination.write([item(1, #"{"id":1,"m":1.25}"#)], types: ["m": "decimal(10,2)"])

    let exact = try destination.write([item(2, #"{"id":2,"m":2.5}"#)])
    let longer = try destination.write([item(3, #"{"id":3,"m":0.125}"#)])

    #expect(exact.failure == nil)
    #expect(
      longer.failure?.message.contains("has 0.125 for the column m") == true,
      "\(longer.failure?.message ?? "")")
    #expect(try destination.rows("select id, m from items order by id") == ["1|1.25", "2|2.50"])
  }

  @Test(arguments: Destination.Kind.allCases)
  func `dates and times stay texts where that is asked for`(kind: Destination.Kind) throws {
    let destination = try Destination(kind)

    let report = try destination.write([item(1, #"{"id":1,"d":"2024-01-01","at":"2024-01-01T00:00:00Z"}"#)]) {
      $0.recognizesTimes = false
    }

    #expect(report.failure == nil)
    #expect(try destination.rows("select d, \"at\" from items") == ["2024-01-01|2024-01-01T00:00:00Z"])
    let text = kind == .postgresql ? "text" : "varchar"
    #expect(try destination.columns().suffix(2) == ["d \(text)", "at \(text)"])
  }

  @Test(arguments: DestinationTests.databases)
  func `columns of times that are there are named where only texts are wanted`(kind: Destination.Kind) throws
  {
    let destination = try Destination(kind)
    let items = [item(1, #"{"id":1,"d":"2024-01-01","at":"2024-01-01T00:00:00Z","t":"x"}"#)]
    _ = try destination.write(items)

    let refused = try destination.write(items) { $0.recognizesTimes = false }
    let declared = try destination.write(items, types: ["d": "text", "at": "text"]) {
      $0.recognizesTimes = false
    }
    let again = try destination.write(items) { $0.recognizesTimes = false }

    let message = refused.failure?.message ?? "nothing"
    #expect(
      message.contains(
        #"already, as an earlier run made them: d (date), at (timestamp); types = { ["d"] = "text" }"#),
      "\(message)")
    #expect(declared.failure == nil, "\(declared.failure?.message ?? "")")
    #expect(again.failure == nil, "\(again.failure?.message ?? "")")
    #expect(try destination.rows("select d, \"at\" from items") == ["2024-01-01|2024-01-01T00:00:00Z"])
  }

  @Test(arguments: DestinationTests.databases)
  func `a text that is just an integer is an id of a column of integers, and no other text`(
    kind: Destination.Kind
  ) throws {
    let destination = try Destination(kind)
    let types = ["id": "integer"]

    let first = try destination.write(
      [item("7", #"{"id":"7","v":1}"#)], [item(7, #"{"id":7,"v":2}"#), item("-8", #"{"id":"-8","v":3}"#)],
      types: types)
    let second = try destination.write([item("7", #"{"id":"7","v":4}"#)], types: types)

    #expect(first.failure == nil, "\(first.failure?.message ?? "")")
    #expect(second.failure == nil, "\(second.failure?.message ?? "")")
    #expect(try destination.rows("select id, v from items order by id") == ["-8|3", "7|4"])
    for id in ["07", "7.0", "1e3", "x", "9223372036854775808"] {
      let report = try destination.write([item(id, #"{"id":"\#(id)"}"#)], types: types)
      let message = report.failure?.message ?? "nothing"
      #expect(message.contains("the item \(id) of items has \"\(id)\" for the column id"), "\(message)")
    }
  }

  @Test(arguments: ["text", "integer"])
  func `an id has the declared type`(type: String) throws {
    let destination = try Destination(.postgresql)

    let report = try destination.write([item(1, #"{"id":1,"x":1}"#)], types: ["id": type])
    let named = try destination.write([item("a", #"{"id":"a","x":1}"#)], types: ["id": type])

    #expect(report.failure == nil)
    #expect(try destination.columns().first == (type == "text" ? "id text" : "id bigint"))
    #expect((named.failure == nil) == (type == "text"), "\(named.failure?.message ?? "")")
  }
}
