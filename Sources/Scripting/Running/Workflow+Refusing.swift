import Lua
import Paging

/// Slips of the command line that only the script can tell.
extension Workflow {
  /// The first value that was given for a parameter that the script does not have, with the nearest that it has.
  private var unknownParameter: String? {
    let names = declarations.parameters.map(\.name).sorted()
    let given = options.parameters.keys.filter { !options.environmentNames.contains($0) }.sorted()
    guard let unknown = given.first(where: { !names.contains($0) }) else { return nil }
    let option = options.secretNames.contains(unknown) ? "--secret" : "--param"
    let known = names.isEmpty ? " (it has none)" : NearestName.hint(unknown, in: names)
    return "\(option) \(unknown): the script has no such parameter\(known)"
  }

  /// Ends the run before anything is delivered, once the script has declared its parameters, or is loaded without any.
  func refuseUnknownParameters() {
    guard !hasRefused, !options.areParametersRecorded, prompt == nil, !options.isCheck, takeReturned == nil,
      !isStopping,
      isMainOver || !declarations.parameters.isEmpty
    else { return }
    hasRefused = true
    noteIgnoredParameters()
    guard let unknownParameter else { return }
    refuse(unknownParameter)
  }

  /// What the environment gives is perhaps meant for another script.
  private func noteIgnoredParameters() {
    let names = Set(declarations.parameters.map(\.name))
    for name in options.environmentNames.subtracting(names).sorted() {
      let variable = options.secretNames.contains(name) ? "LOOKAHEAD_SECRET" : "LOOKAHEAD_PARAM"
      let message = "\(variable) in the environment gives '\(name)', which this script does not have: ignored"
      options.observe(.logged(level: "info", message: message, fields: []))
    }
  }

  /// A prompt goes on, and says it.
  func warnOfUnknownParameters() {
    guard let unknownParameter else { return }
    options.observe(.logged(level: "warn", message: unknownParameter, fields: []))
  }

  /// What the script returned is nothing to read: sources that were chosen are not there, and a value was meant as something.
  func refuseUnread(_ stack: LuaStack, results: Int) throws(LuaError) {
    if let source = options.sources.first {
      outbox.discard()
      throw LuaError(.runtime, "--source \(source): the script returns no sources", code: "usage")
    }
    guard results > 0, emittedItems == 0, statistics.requests == 0, readers.isEmpty else { return }
    let value = stack.count - results + 1
    guard !stack.isNil(at: value) else { return }
    options.observe(
      .logged(
        level: "warn",
        message: "the script returned a \(stack.typeName(at: value)), which is nothing to read: "
          + "return a source, or a list of them", fields: []))
  }

  private func refuse(_ sentence: String) {
    outbox.discard()
    fail(LuaError(.runtime, sentence, code: "usage"))
  }
}
