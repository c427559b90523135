import Foundation
import Testing

/// `lookahead get` gives the numbers of an answer with all their digits, whatever shape its items have.
@Suite(.waiting) struct GetDigitsTests {
  private static let v = "12345678901234567890"

  /// A body, and the items that are found in it.
  private static let answers: [(body: String, items: [String])] = [
    (#"[{"id":1,"v":\#(v)},{"id":2,"v":7}]"#, [#"{"id":1,"v":\#(v)}"#, #"{"id":2,"v":7}"#]),
    (
      #"{"edges":[{"node":{"id":1,"v":\#(v)}},{"node":{"id":2,"v":7}}],"pageInfo":{"hasNextPage":false}}"#,
      [#"{"id":1,"v":\#(v)}"#, #"{"id":2,"v":7}"#]
    ),
    (
      #"{"items":{"k1":{"id":1,"v":\#(v)},"k2":{"id":2,"v":7}}}"#,
      [#"{"id":1,"v":\#(v),"_key":"k1"}"#, #"{"id":2,"v":7,"_key":"k2"}"#]
    ),
    (
      #"{"columns":["id","v"],"rows":[[1,\#(v)],[2,7]]}"#,
      [#"{"id":1,"v":\#(v)}"#, #"{"id":2,"v":7}"#]
    ),
  ]

  @Test(arguments: answers, [false, true]) func `numbers keep their digits`(
    _ answer: (body: String, items: [String]), _ isScript: Bool
  ) throws {
    let scratch = try Scratch()
    try scratch.write("case.json", #"{"answers":{"":{"text":\#(Self.quoted(answer.body))},"*":"same"}}"#)
    let get = "lookahead get \"http://127.0.0.1:$port/list\""
    let script = "\(get) --as-script --quiet > feed.lua && lookahead run feed.lua --allow-net=127.0.0.1"

    let result = try scratch.shell(Self.serving(isScript ? script : get))

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines == answer.items, "\(result.errors)")
  }

  private static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\\\""))\"" }

  /// A line of bash with a server of the case around it.
  private static func serving(_ line: String) -> String {
    let server = "\(Repository.root.path)/Tests/Servers/answer_server.py"
    return "python3 '\(server)' case.json > port 2> log & server=$!; "
      + "until port=$(cat port) && [ -n \"$port\" ]; do :; done; \(line); code=$?; kill $server 2> /dev/null; exit $code"
  }
}
