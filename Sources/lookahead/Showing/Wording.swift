import Hosting
import Items
import Lua
import Scripting
import Text

/// The wording of errors: what happened, where, what was expected, what to do. The only place for it.
struct Wording {
  /// Maximum bytes shown of an error. A script may make its errors arbitrarily long.
  static let longest = 4096

  private let error: LuaError
  /// The name of a generated script, whose line numbers mean nothing to the user.
  private let hidden: String?

  private let remains: Remains

  init(_ error: LuaError, of script: ScriptFile, _ remains: Remains = Remains()) {
    self.error = error
    self.remains = remains
    hidden = script.isGenerated ? script.path : nil
  }

  var text: String {
    let isInterrupted = error.kind == .stopped(.interrupted) && !remains.isEmpty
    return (isInterrupted ? "error: interrupted" : said) + remains.text
  }

  private var said: String {
    switch error.kind {
    case .syntax, .conversion: "error: \(HarmlessText.cut(error.message, to: Self.longest / 2))"
    case .stopped(let reason): "error: \(place)\(Self.stop(reason))"
    case .runtime: "error: \(HarmlessText.cut(message, to: Self.longest / 2))\(traceback)\(advice)"
    }
  }

  /// The message, without a generated script's line.
  private var message: String {
    guard let hidden, error.message.hasPrefix("\(hidden):") else { return error.message }
    let rest = error.message.dropFirst(hidden.count + 1).drop(while: \.isNumber)
    return rest.hasPrefix(": ") ? String(rest.dropFirst(2)) : error.message
  }

  private static func stop(_ reason: LuaStop) -> String {
    switch reason {
    case .interrupted: "interrupted; what was written is kept"
    case .time:
      "the script ran longer than it may without waiting (see --max-cpu); a loop that never ends looks like this"
    case .memory: "the script needs more memory than it may have (see --max-memory)"
    case .instructions: "a policy used up its instructions"
    }
  }

  /// The script's own lines, innermost first, without the host's.
  private var lines: [Substring] {
    guard hidden == nil else { return [] }
    return error.traceback.split(separator: "\n").filter {
      !$0.contains("lookahead:") && !$0.contains("[C]") && !$0.contains("(...tail calls...)")
    }
  }

  private var traceback: String {
    lines.count < 2 ? "" : HarmlessText.cut("\n" + lines.joined(separator: "\n"), to: Self.longest / 4)
  }

  /// Where a script was stopped, such as `feed.lua:12: `.
  private var place: String {
    guard error.kind != .stopped(.interrupted), let line = lines.first?.drop(while: \.isWhitespace),
      let end = line.firstIndex(of: " ")
    else { return "" }
    return "\(line[..<end]) "
  }

  /// What to do, unless it is in the message.
  private var advice: String {
    switch error.code {
    case "tooLarge": return "\n  Allow more with --max-body."
    case "timeout":
      return "\n  Allow more with --timeout, or as timeout in the script; or run it again later."
    case "rateLimited": return "\n  Run it again\(later), or allow the wait with --retry-max-wait."
    case "http" where [.integer(401), .integer(403)].contains(error.fields["status"]):
      return
        "\n  Credentials are missing or wrong: a script gives them as auth or headers, lookahead get as --header."
    default:
      return RunExit(error) == .passing
        ? "\n  This may pass: run it again\(later.isEmpty ? " later" : later)." : ""
    }
  }

  private var later: String {
    guard case .number(let seconds)? = error.fields["retryAfter"] else { return "" }
    return " in \(Amount.duration(seconds))"
  }
}

/// The state of the output after a failed run, in a line after its error; empty if everything was written.
struct Remains {
  private let remains: SinkRemains
  private let output: String

  init(_ remains: SinkRemains = SinkRemains(), of output: String = "-") {
    self.remains = remains
    self.output = output
  }

  /// Whether there is nothing to say.
  var isEmpty: Bool { remains.aside.isEmpty }

  /// Begins with a line break.
  var text: String {
    guard let first = remains.aside.first else { return "" }
    let more = remains.aside.count - 1
    let files = more > 0 ? "\(first) and \(more) more" : first
    let old = remains.keepsOld ? "\(output) is as it was; " : ""
    return "\n  \(old)what this run wrote is in \(files)"
  }
}
