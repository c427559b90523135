import Foundation
import Testing

/// What the host writes from inside the cage.
@Suite(.waiting) struct CageOutputTests {
  @Test(arguments: ["out.ndjson", "out.csv", "out.json", "out/"])
  func `a run that fails before its first item leaves no output behind`(output: String) throws {
    let scratch = try Scratch(script: "error('no')")

    let result = try scratch.lookahead("run", "feed.lua", "-o", output, "--summary", "sum.json")

    #expect(result.exitCode == 65)
    #expect(!scratch.has(output))
    #expect(scratch.has("sum.json"))
  }

  @Test func `a run that fails leaves an old output as it was`() throws {
    let scratch = try Scratch(script: "error('no')")
    try scratch.write("out.ndjson", "old\n")

    _ = try scratch.lookahead("run", "feed.lua", "-o", "out.ndjson")

    #expect(try scratch.text("out.ndjson") == "old\n")
  }

  @Test(arguments: ["out.ndjson", "out.csv", "out.db"])
  func `a run without items leaves an empty output`(output: String) throws {
    let scratch = try Scratch(script: "local x = 1")

    let result = try scratch.lookahead("run", "feed.lua", "-o", output)

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(scratch.has(output))
  }

  @Test func `a CSV gets a new column from outside the cage, and keeps its mode`() throws {
    let scratch = try Scratch(
      script: "lookahead.emit({ id = 1 }) lookahead.emit({ id = 2, late = 'x' })")
    try scratch.write("out.csv", "")
    let result = try scratch.shell(
      "chmod 640 out.csv; lookahead run feed.lua -o out.csv; stat -c %a out.csv; ls -A")

    #expect(result.lines == ["640", "feed.lua", "out.csv"], "\(result.errors)")
    #expect(try scratch.text("out.csv") == "id,late\r\n1,\r\n2,x\r\n")
  }

  @Test func `a CSV in a folder gets a new column, and keeps its mode`() throws {
    let scratch = try Scratch(
      script: "lookahead.emit({ id = 1 }) lookahead.emit({ id = 2, late = 'x' })")
    let result = try scratch.shell(
      "mkdir out; echo old > out/feed.csv; chmod 640 out/feed.csv; "
        + "lookahead run feed.lua -o out --format csv; stat -c %a out/feed.csv; ls -A out")

    #expect(result.lines == ["640", "feed.csv"], "\(result.errors)")
    #expect(try scratch.text("out/feed.csv") == "id,late\r\n1,\r\n2,x\r\n")
  }

  @Test func `an output that can't be made is said as before`() throws {
    let scratch = try Scratch(script: "lookahead.emit({ id = 1 })")

    let result = try scratch.lookahead("run", "feed.lua", "-o", "nowhere/out.ndjson")

    #expect(result.exitCode == 73)
    #expect(result.errors.contains("the folder nowhere does not exist"), "\(result.errors)")
  }
}
