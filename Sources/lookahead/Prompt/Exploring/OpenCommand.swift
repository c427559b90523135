import Lua
import Paging
import Scripting
import Simulation
import Terminal
import Text

/// `:open` and `:close`: where an exploration begins and ends.
enum OpenCommand {
  /// Items of a screen, where the person does not say.
  private static let screen = 10

  static func run(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let (name, screen) = try parts(text)
    if name.isEmpty {
      return open(try onlySource(session), screen: screen, session)
    }
    if let source = session.workflow.promptSources.first(where: { $0.name == name }) {
      return open(source, screen: screen, session)
    }
    try ValueCommands.withValue(of: name, for: "open", session) { [unowned session] value in
      open(value, expression: name, screen: screen, session)
    }
  }

  static func close(_ session: PromptSession) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    session.explored = nil
    session.say("\(explored.source.name.printable) is closed", .dim)
  }

  /// The script was loaded again.
  static func reload(_ session: PromptSession) {
    guard let explored = session.explored else { return }
    let name = explored.source.name
    let value =
      explored.expression.flatMap { session.workflow.value(at: $0) }
      ?? session.workflow.promptSources.first { $0.name == name }?.value
    do {
      guard let value, let new = try session.workflow.exploring.source(value, insteadOf: explored.source)
      else {
        return session.say("there is no source \(name.printable) any more: its old handlers stay", .dim)
      }
      if try explored.reload(new) {
        session.say(
          "\(name.printable)@\(explored.exploration.position) continues with the new handlers", .dim)
      } else {
        session.say("\(name.printable) is paged otherwise now: :open it again", .dim)
      }
    } catch {
      session.show(error)
    }
  }

  private static func parts(_ text: String) throws(PromptFault) -> (name: String, screen: Int) {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let position = words.lastIndex(of: "screen"), position == words.count - 2 else {
      return (text, screen)
    }
    guard let number = Int(words[position + 1]), 1...10_000 ~= number else {
      throw PromptFault(
        ":open … screen expects a number of items from 1 to 10000, got \(words[position + 1])")
    }
    words.removeLast(2)
    return (words.joined(separator: " "), number)
  }

  private static func onlySource(
    _ session: PromptSession
  ) throws(PromptFault) -> (name: String, value: PromptValue) {
    let sources = session.workflow.promptSources
    guard let first = sources.first else {
      throw PromptFault(
        "there is no source to open", hint: "Declare one with lookahead.source { … }, or give a script.")
    }
    guard sources.count == 1 else {
      throw PromptFault(
        "there are several sources",
        hint: "Open one of them: " + sources.map(\.name.printable).joined(separator: ", "))
    }
    return first
  }

  /// A source by its name, which may be that of a variable too.
  private static func open(
    _ source: (name: String, value: PromptValue), screen: Int, _ session: PromptSession
  ) {
    let variable = session.workflow.value(at: source.name)
    let isVariable = variable.flatMap { try? session.workflow.exploring.source($0) }?.name == source.name
    open(source.value, expression: isVariable ? source.name : nil, screen: screen, session)
  }

  private static func noSource(_ value: PromptValue, _ text: String, _ session: PromptSession) -> PromptFault
  {
    let names = session.workflow.promptSources.map(\.name.printable).joined(separator: ", ")
    return PromptFault(
      value.typeName == "nil"
        ? "there is no source \(text.printable)" : "\(text.printable) is a \(value.typeName), and no source",
      hint: names.isEmpty ? nil : "The sources here: \(names)")
  }

  private static func open(
    _ value: PromptValue, expression: String?, screen: Int, _ session: PromptSession
  ) {
    do {
      guard let source = try session.workflow.exploring.source(value) else {
        return session.show(noSource(value, expression ?? "", session))
      }
      let explored = try ExploredSession(session, source, expression: expression, screen: screen)
      session.explored = explored
      session.promptText = { [unowned session] in session.explored?.prompt }
      session.openedSource = { [unowned session] in session.explored?.expression }
      session.onReload = { [unowned session] in reload(session) }
      session.say(StateText(explored).head, .dim)
      MovingCommands.show(explored, from: 0, session)
    } catch {
      session.show(error)
    }
  }
}

extension PromptSession {
  /// The current exploration; throws advice on how to start one.
  func exploredOrFault() throws(PromptFault) -> ExploredSession {
    guard let explored else {
      throw PromptFault(
        "nothing is explored yet", hint: ":open SOURCE begins, :open alone with the only one.")
    }
    return explored
  }

  /// Shows what a source's script, or its numbers, have wrong.
  func show(_ error: any Error) {
    switch error {
    case let error as LuaError: show(error, of: nil)
    case let error as InvalidConfiguration:
      show(PromptFault("\(error.option): expected \(error.expected), got \(error.value)"))
    case let error as PromptFault: show(error)
    default: show(PromptFault("\(error)"))
    }
  }
}
