import Scripting
import Testing

@Suite struct DescriptionNamesTests {
  /// What scripts find in the library: names in full, with the type behind each.
  private static func found() throws -> [String: String] {
    let lines = try printed(
      by: """
        local function list(path, value)
          print(path .. " " .. type(value))
          if type(value) ~= "table" then return end
          for key, inner in pairs(value) do list(path .. "." .. key, inner) end
        end
        list("lookahead", lookahead)
        """)
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let words = line.split(separator: " ").map(String.init)
        return (words[0], words[1])
      })
  }

  @Test func `scripts find every name of the description and no other`() throws {
    let found = try Set(Self.found().keys)

    #expect(found.subtracting(APIDescription.names).sorted() == [])
    #expect(Set(APIDescription.names).subtracting(found).sorted() == [])
    #expect(Set(APIDescription.names).count == APIDescription.names.count)
  }

  @Test func `modules are tables, and functions functions`() throws {
    let found = try Self.found()

    for module in APIDescription.modules {
      #expect(found[module.path] == "table")
      for function in module.functions { #expect(found["\(module.path).\(function.name)"] == "function") }
    }
  }

  @Test func `a table that can be called is described as one`() throws {
    let called = APIDescription.modules.filter { $0.call != nil }.map(\.path)
    let script = APIDescription.modules.map { module in
      "print('\(module.path)', (select(2, pcall(\(module.path)))))"
    }.joined(separator: "\n")

    let callable = try printed(by: script).filter { !$0.contains("attempt to call") }.map {
      String($0.prefix { $0 != "\t" })
    }

    #expect(callable == called)
  }

  @Test func `names of a module are those of its functions, values and modules`() {
    #expect(APIDescription.names(in: "lookahead.lab") == ["run"])
    #expect(APIDescription.names(in: "lookahead")?.contains("http") == true)
    #expect(APIDescription.names(in: "lookahead")?.contains("source") == true)
    #expect(APIDescription.names(in: "lookahead.htpp") == nil)
  }

  @Test func `summaries are sentences`() {
    var summaries = APIDescription.aliases.map(\.summary)
    for module in APIDescription.modules {
      summaries += [module.summary] + module.functions.map(\.summary) + module.values.map(\.summary)
    }
    for type in APIDescription.classes {
      summaries += [type.summary] + type.fields.map(\.summary) + type.methods.map(\.summary)
    }

    for summary in summaries {
      #expect(summary.hasSuffix(".") || summary.hasSuffix("…"))
      #expect(summary.count <= 110, "\(summary)")
      #expect(!summary.contains("\n"))
    }
  }
}
