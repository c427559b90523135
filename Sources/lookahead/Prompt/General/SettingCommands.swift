import Lua
import Paging
import Scripting
import Text

/// `:set` and `:trace`.
enum SettingCommands {
  static let names = ["depth", "items", "strings", "width", "vertical", "color"]

  static func set(_ session: PromptSession, _ text: String) throws(PromptFault) {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let name = words.first else { return show(session) }
    guard names.contains(name) else {
      throw PromptFault("there is no setting \(name)", hint: "There are \(names.joined(separator: ", ")).")
    }
    guard words.count <= 2 else { throw PromptFault(":set \(name) expects one value") }
    let value = words.count == 2 ? words[1] : nil
    var style = session.settings.style
    switch name {
    case "depth": style.depth = try count(value, name, least: 0)
    case "items": style.items = try count(value, name, least: 1)
    case "strings": style.stringLimit = try count(value, name, least: 1)
    case "width": session.settings.width = value == "auto" ? nil : try count(value, name, least: 20)
    case "vertical": style.isVertical = try flag(value, name, style.isVertical)
    default: style.isColored = try flag(value, name, style.isColored)
    }
    session.settings.style = style
  }

  private static func show(_ session: PromptSession) {
    let style = session.settings.style
    let rows = [
      ("depth", "\(style.depth)", "tables within tables that are opened"),
      ("items", "\(style.items)", "entries of a table"),
      ("strings", "\(style.stringLimit)", "bytes of a string"),
      ("width", session.settings.width.map { "\($0)" } ?? "auto", "cells of a line"),
      ("vertical", style.isVertical ? "on" : "off", "every field on a line of its own"),
      ("color", style.isColored ? "on" : "off", "colours"),
    ]
    for (name, value, help) in rows { session.say(aligned(name, 10) + aligned(value, 6) + help) }
  }

  private static func aligned(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func count(_ value: String?, _ name: String, least: Int) throws(PromptFault) -> Int {
    guard let value, let count = Int(value), least...1_000_000 ~= count else {
      throw PromptFault(":set \(name) expects a number from \(least), got \(value ?? "nothing")")
    }
    return count
  }

  /// Without a value it is the other one.
  private static func flag(_ value: String?, _ name: String, _ old: Bool) throws(PromptFault) -> Bool {
    switch value {
    case nil: return !old
    case "on", "true", "yes": return true
    case "off", "false", "no": return false
    case let value?: throw PromptFault(":set \(name) expects on or off, got \(value)")
    }
  }

  static func trace(_ session: PromptSession, _ text: String) throws(PromptFault) {
    switch text {
    case "": session.say(session.trace.map { "on: \($0.target)" } ?? "off")
    case "off":
      session.trace?.finish()
      session.trace = nil
    case "on":
      session.trace?.finish()
      session.trace = PromptTrace()
    default:
      session.trace?.finish()
      session.trace = nil
      session.trace = try PromptTrace(file: text, session.voice)
    }
  }
}

/// `:limits`: what a line may use.
enum LimitsCommand {
  static func run(_ session: PromptSession, _ text: String) throws(PromptFault) {
    var budget = session.workflow.promptBudget
    for word in text.split(whereSeparator: \.isWhitespace) { try set(String(word), in: &budget) }
    if !text.isEmpty { session.workflow.promptBudget = budget }
    let memory = budget.memory > 0 ? Amount.bytes(budget.memory) : "no limit"
    session.say("memory  \(memory), \(Amount.bytes(session.workflow.memoryUsed)) in use")
    session.say(
      "time    \(Self.text(budget.burst)) of a line between two waits, \(Self.text(budget.total)) in all")
  }

  private static func set(_ word: String, in budget: inout LuaBudget) throws(PromptFault) {
    let name = String(word.prefix { $0 != "=" })
    let value = String(word.dropFirst(name.count + 1))
    switch name {
    case "memory":
      guard value != "none" else {
        budget.memory = 0
        return
      }
      guard let size = ByteSize(argument: value) else {
        throw PromptFault(":limits memory= expects a size as 64MB, or none, got \(value)")
      }
      budget.memory = size.bytes
    case "time":
      guard value != "none" else {
        (budget.burst, budget.total) = (.zero, .zero)
        return
      }
      guard let span = TimeSpan(argument: value), span.duration > .zero else {
        throw PromptFault(":limits time= expects a time as 30s, or none, got \(value)")
      }
      budget.burst = span.duration
      if budget.total > .zero { budget.total = max(budget.total, span.duration) }
    default:
      throw PromptFault("there is no limit \(name)", hint: "As :limits memory=64MB time=30s.")
    }
  }

  private static func text(_ duration: Duration) -> String {
    duration > .zero ? Amount.duration(duration.inSeconds) : "no limit"
  }
}
