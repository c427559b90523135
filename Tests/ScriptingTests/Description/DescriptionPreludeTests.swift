import Foundation
import Scripting
import Testing

/// Methods are declared in the prelude with a colon: each of them is described, and nothing else is.
@Suite struct DescriptionPreludeTests {
  /// The class whose methods are in a table of a file, as `tasks.lua Task`.
  private static let owners = [
    "collection.lua methods": "Collection", "demand.lua methods": "ItemSet",
    "fetch.lua methods": "Context", "http.lua responseMethods": "Response", "lab.lua methods": "Result",
    "oauth2.lua methods": "Login", "xml.lua methods": "Element",
    "machine.lua contextMethods": "BatchContext", "machine.lua Map": "IndexMap",
    "prefetcher.lua methods": "Prefetcher",
    "prefetcher.lua contextMethods": "PrefetchContext", "reading.lua methods": "Source",
    "source.lua methods": "Source",
    "tasks.lua methods": "Task", "world.lua databaseMethods": "Database",
  ]

  /// Names of methods by class, as the prelude declares them.
  private static func declared() throws -> [String: Set<String>] {
    let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/Scripting/Prelude").standardizedFileURL
    var declared: [String: Set<String>] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      for match in text.matches(of: /(?m)^function ([\w.]+):(\w+)\(/) {
        let owner = "\(file) \(match.output.1)"
        declared[owners[owner] ?? owner, default: []].insert(String(match.output.2))
      }
    }
    return declared
  }

  @Test func `every method of the prelude is described, and no other`() throws {
    let updates = try #require(APIDescription.type(named: "Updates")).methods.map(\.name)

    let declared = try Self.declared()

    for type in APIDescription.classes where type.role == .object && type.name != "Updates" {
      let own = Set(type.methods.map(\.name)).subtracting(type.name == "Collection" ? updates : [])
      #expect(own == declared[type.name] ?? [], "\(type.name)")
    }
    #expect(Set(declared.keys).subtracting(APIDescription.classes.map(\.name)) == [])
  }
}
