import Foundation
import Testing

/// The pictures of the README: they show what the program shows today.
@Suite(.waiting) struct PictureTests {
  /// The lines of a drawing, without times and sizes, which are never twice the same.
  private static func words(_ drawing: String) -> [String] {
    drawing.split(separator: "\n").map(String.init).filter { $0.hasPrefix("<text") }.map {
      $0.replacing(/<[^>]*>/, with: "").replacing("\u{A0}", with: " ")
        .replacing(/[0-9.]+ kB received/, with: "SIZE received")
        .replacing(/[0-9.]+ s \([0-9,]+ items\/s\)/, with: "TIME")
    }
  }

  @Test func `terminals show what was drawn: scripts/pictures/draw.py draws them anew`() throws {
    let scratch = try Scratch()

    let result = try Command(
      "/usr/bin/env",
      ["python3", "scripts/pictures/draw.py", "--program", Repository.binary, "--terminals", scratch.path]
    ).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    for name in ["run", "get", "browse"] {
      // What the decisions of browsing are called and when they fell is another story each time.
      let lines = name == "browse" ? 9 : 20
      let today = Self.words(try scratch.text("\(name).svg"))
      let drawn = Self.words(try Repository.text("scripts/pictures/\(name).svg"))
      #expect(drawn.count > 7)
      #expect(today.prefix(lines) == drawn.prefix(lines), "\(name).svg")
    }
  }

  @Test(arguments: ["run.svg", "get.svg", "browse.svg", "lab.png"])
  func `a picture is there, small, and in the README`(name: String) throws {
    let file = Repository.root.appendingPathComponent("scripts/pictures/\(name)")

    let bytes = try Data(contentsOf: file)

    #expect((1_000..<150_000).contains(bytes.count))
    #expect(try Repository.text("README.md").contains("](scripts/pictures/\(name))"))
  }
}
