import Scripting

/// Scripts made of the fuzzer's statements.
struct FuzzScript: Sendable {
  let values: FuzzValues
  let harness: String
  let objects: String
  /// A base URL that may be called.
  let server: String

  /// A script whose steps are numbered from `first`.
  func text(_ statements: some Sequence<String>, first: Int = 1) -> String {
    let steps = statements.enumerated().map { index, statement in
      "step(\(first + index), function() \(statement) end)"
    }
    return ([prelude] + steps).joined(separator: "\n") + "\n"
  }

  /// A script that ends so, without a step.
  func text(ending: String) -> String { prelude + "\n" + ending + "\n" }

  private var prelude: String {
    ["local server = \"\(server)\"", values.text, harness, objects, Self.uses].joined(separator: "\n")
  }

  /// What can be done with objects of each class: the methods of the description, and the calls that take one.
  private static let uses = FuzzTarget.objects.map { type in
    let methods = FuzzTarget.all.filter { $0.type?.name == type.name && $0.isCall }.map { target in
      use(
        target.call(on: "object", ArgumentWriter().arguments(target.parameters, of: target.name)),
        target.result)
    }
    let calls = FuzzTarget.all.filter { $0.type == nil }.flatMap { target in
      ArgumentWriter.places(of: type, target.parameters).map { place in
        let arguments = ArgumentWriter(placed: [place: "object"]).arguments(
          target.parameters, of: target.name)
        return use(target.call(on: "object", arguments), target.result)
      }
    }
    return "uses.\(type.name) = {\n\((methods + calls).joined(separator: ",\n"))\n}"
  }.joined(separator: "\n")

  private static func use(_ call: String, _ result: String?) -> String {
    "  { call = function(object) return \(call) end\(result.map { ", result = \"\($0)\"" } ?? "") }"
  }
}
