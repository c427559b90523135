import Foundation
import Testing

/// The list that a `get` stands for, as an output knows it.
@Suite(.waiting) struct GetListTests {
  /// Runs a line of bash beside a server of the files in a folder, at `$url`.
  private func serving(_ scratch: Scratch, _ line: String) throws -> CommandResult {
    try scratch.shell(
      "python3 -u -m http.server --bind 127.0.0.1 0 > log 2>&1 & server=$!; "
        + "until port=$(sed -n 's/.* port \\([0-9]*\\) .*/\\1/p' log 2>/dev/null) "
        + "&& [ -n \"$port\" ]; do :; done; "
        + "url=http://127.0.0.1:$port; \(line); code=$?; kill $server; exit $code")
  }

  @Test func `the printed script removes the rows that get has brought`() throws {
    let scratch = try Scratch()
    try scratch.write("p.json", #"{"data":[{"id":1},{"id":2},{"id":3}],"has_more":false}"#)
    try scratch.write("later.json", #"{"data":[{"id":1},{"id":4}],"has_more":false}"#)

    let result = try serving(
      scratch,
      "lookahead get $url/p.json -o a.db --write mirror && lookahead get $url/p.json --as-script > feed.lua"
        + " && mv later.json p.json"
        + " && lookahead run feed.lua --allow-net=127.0.0.1 -o a.db --write mirror"
        + " && sqlite3 a.db 'select group_concat(id) from items'")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines.last == "1,4", "\(result.errors)")
  }

  @Test func `changes of OData remove the rows that the list has brought`() throws {
    let scratch = try Scratch()
    try scratch.write(
      "delta",
      #"{"value":[{"id":"a","name":"Ann"},{"id":"b","name":"Bob"}],"@odata.deltaLink":"?$deltatoken=1"}"#)
    try scratch.write(
      "later", #"{"value":[{"id":"b","@removed":{}},{"id":"c"}],"@odata.deltaLink":"?$deltatoken=2"}"#)

    let result = try serving(
      scratch,
      "lookahead get $url/delta -o a.db && mv later delta"
        + " && lookahead get $url/delta?'$deltatoken=1' -o a.db"
        + " && sqlite3 a.db 'select group_concat(id || coalesce(name, 0)) from items'")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines.last == "aAnn,c0", "\(result.errors)")
    #expect(result.errors.contains("--write mirror would remove all that has not"), "\(result.errors)")
  }
}
