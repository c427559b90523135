import Items
import Paging
import Scripting
import Testing

@Suite struct DescriptionExamplesTests {
  /// An example, and what it is of.
  struct Example: CustomTestStringConvertible {
    let name: String
    let text: String
    var testDescription: String { name }
  }

  private static let all: [Example] =
    APIDescription.modules.flatMap { module in
      (module.call.map { [Example(name: module.path, text: $0.example)] } ?? [])
        + module.functions.map { Example(name: "\(module.path).\($0.name)", text: $0.example) }
    }
    + APIDescription.classes.flatMap { type in
      type.methods.map { Example(name: "\(type.word):\($0.name)", text: $0.example) }
    }

  /// A world in which everything that examples reach for is there.
  private static var world: ScriptWorld {
    let replies = [HostReply.json(#"{"items":[{"id":1}]}"#, [HTTPHeader("Content-Type", "application/json")])]
    let token = HostReply.json(#"{"access_token":"abc","expires_in":60}"#)
    let world = ScriptWorld(
      ["POST https://login.example.com/token": [token]].merging(
        ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"].flatMap { method in
          ["", "?page=1", "/1"].map { ("\(method) https://api.example.com/items\($0)", replies) }
        }
      ) { $1 })
    world.files = [
      "/scripts/notes.txt": "one\ntwo\n", "/scripts/items.csv": "id;name\n1;one\n",
      "/scripts/items.json": #"[{"id":1}]"#,
    ]
    world.environment = ["HOME": "/home/me"]
    world.database = { call in
      switch call {
      case .openDatabase, .connectDatabase: .handle(7)
      case .openRows: .handle(8)
      case .nextRows: .rows(IndexedJSON(Bytes(#"[{"name":"Europe/Paris"}]"#)), isEnd: true)
      default: .done
      }
    }
    return world
  }

  @Test(arguments: all.filter { !$0.text.isEmpty })
  func `an example runs`(example: Example) throws {
    let run = try ScriptRun(example.text, lab: LabRecorder(), in: Self.world)

    let isForTheLab = run.failure?.contains("which is for the lab") ?? false
    #expect(run.failure == nil || isForTheLab)
    #expect(run.isFinished)
  }

  @Test func `every function of the library has an example`() {
    let missing = Self.all.filter { $0.text.isEmpty && $0.name.hasPrefix("lookahead") }.map(\.name)

    #expect(missing == [])
  }

  @Test func `an example uses what it is of`() {
    for example in Self.all where !example.text.isEmpty {
      let name = example.name.split { $0 == "." || $0 == ":" }.last.map(String.init) ?? ""
      #expect(example.text.contains(name), "\(example.name)")
    }
  }
}
