import Lua
import Paging

/// What a workflow keeps for the person at its prompt.
final class Prompt {
  let options: PromptOptions
  /// What a line may use up.
  var budget: LuaBudget
  /// The variables of the session: the globals of every line. What it lacks is looked up in the script's globals.
  let session: LuaReference
  /// Sets a global of the script's own text.
  let setGlobal: LuaReference
  /// Lines that are not over; the first is under way.
  var lines: [PromptLine] = []
  /// Texts by the names that errors give them, in the order in which they were loaded.
  private var texts: [String: [KeptText]] = [:]
  /// What the script returned.
  var returned: [PromptValue] = []
  /// Whether a line has left much garbage behind.
  var wantsCollection = false

  init(_ options: PromptOptions, _ budget: LuaBudget, session: LuaReference, setGlobal: LuaReference) {
    self.options = options
    self.budget = budget
    self.session = session
    self.setGlobal = setGlobal
  }

  /// Keeps a text for those who ask where a function is.
  func keep(_ text: String, name: String, firstLine: Int = 1) {
    texts[name, default: []].append(KeptText(firstLine: firstLine, text: text))
  }

  /// The lines of a text that was kept; nil unless all of them are there.
  func text(_ name: String, _ lines: ClosedRange<Int>) -> String? {
    guard let kept = texts[name]?.last(where: { $0.firstLine <= lines.lowerBound }) else { return nil }
    let all = kept.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.upperBound < kept.firstLine + all.count else { return nil }
    return all[(lines.lowerBound - kept.firstLine)...(lines.upperBound - kept.firstLine)].joined(
      separator: "\n")
  }

  /// The line under way.
  var current: PromptLine? { lines.first.flatMap { $0.begun == nil ? nil : $0 } }
}

/// A text that functions were made of.
struct KeptText {
  let firstLine: Int
  let text: String
}

/// A text that is or will be evaluated.
final class PromptLine {
  let id: Int
  let kind: Kind
  let text: String
  let name: String
  /// The number of its first line.
  let firstLine: Int
  /// Its first value is kept under this number.
  let number: Int?
  let ended: (Evaluation) -> Void
  var begun: Begun?

  enum Kind {
    case typed
    /// The whole of the script.
    case script
  }

  /// What was found when it began.
  struct Begun {
    let at: Instant
    let memory: Int
    var isExpression = false
    var isHidden = false
  }

  init(
    id: Int, _ kind: Kind, _ text: String, name: String, firstLine: Int = 1, number: Int? = nil,
    ended: @escaping (Evaluation) -> Void
  ) {
    self.id = id
    self.kind = kind
    self.text = text
    self.name = name
    self.firstLine = firstLine
    self.number = number
    self.ended = ended
  }
}

extension Workflow {
  /// Makes the tables of a session.
  func makePrompt(_ options: PromptOptions) -> Prompt {
    let stack = state.stack
    stack.pushTable()
    stack.pushTable(fields: 2)
    library.pushEnvironment(on: stack)
    stack.setField("__index", of: -2)
    stack.setField("__metatable", of: -1, to: .boolean(false))
    stack.setMetatable(of: -2)
    stack.pushCopy(of: -1)
    stack.setField("_G", of: -2)
    let session = stack.popReference(in: state)
    state.pushHostFunction("the script") { [unowned self] call in try setScriptGlobal(call) }
    return Prompt(
      options, self.options.budget, session: session, setGlobal: stack.popReference(in: state))
  }

  /// The globals of one text of the script: the session, of which it may set what it declares.
  func makeScriptGlobals(_ declared: [String], _ prompt: Prompt) -> LuaReference {
    let stack = state.stack
    stack.pushTable()
    stack.pushTable(fields: 4)
    stack.push(prompt.session)
    stack.setField("__index", of: -2)
    stack.push(prompt.setGlobal)
    stack.setField("__newindex", of: -2)
    stack.pushTable(fields: declared.count)
    for name in declared { stack.setField(name, of: -1, to: .boolean(true)) }
    stack.setField(Self.declaredField, of: -2)
    stack.setField("__metatable", of: -1, to: .boolean(false))
    stack.setMetatable(of: -2)
    stack.pushCopy(of: -1)
    stack.setField("_G", of: -2)
    return stack.popReference(in: state)
  }

  /// Where the metatable of a text's globals has the names that the text declares.
  private static var declaredField: String { "declared" }

  /// A variable that the script declares is the session's; any other global is refused, as it is in a run.
  private func setScriptGlobal(_ call: HostFunctionCall) throws -> HostFunctionAnswer {
    let stack = call.stack
    guard let prompt, let name = stack.string(at: 2), isDeclared(name, stack) else {
      let name = stack.describe(at: 2)
      let place = stack.scriptPlace(in: running)
      stack.push(
        "\(place)'\(name)' is not declared: write local \(name) (scripts share nothing through globals)")
      throw HostFunctionError.value
    }
    stack.push(prompt.session)
    stack.pushCopy(of: 3)
    stack.setField(name, of: -2)
    return .nothing
  }

  /// Whether the text whose globals are the first argument declares the name.
  private func isDeclared(_ name: String, _ stack: LuaStack) -> Bool {
    let top = stack.count
    defer { stack.truncate(to: top) }
    guard stack.isTable(at: 1), stack.pushMetatable(of: 1) else { return false }
    stack.pushField(Self.declaredField, of: -1)
    return stack.isTable(at: -1) && stack.field(name, of: -1) { $0.truth(at: $1) }
  }
}
