import Glibc
import Lua
import Scripting

/// An entry of a log as an object on a line.
enum LogEntry {
  /// With what every entry has, and its fields; the time is in seconds since 1970.
  static func json(
    _ level: String, _ message: String, _ fields: [(name: String, value: LuaValue)] = [],
    at time: Double = now
  ) -> String {
    var line = JSONLine()
    line.add("time", Timestamp.ofLog(time))
    line.add("level", level)
    line.add("message", message)
    // A field can't take the place of what every line has.
    for (name, value) in fields {
      line.add(["time", "level", "message"].contains(name) ? name + "_" : name, value)
    }
    return line.text
  }

  /// Of any text for people: how it begins says what it is.
  static func json(of text: String) -> String {
    let text = text.hasSuffix("\n") ? text.dropLast() : text[...]
    for (start, level) in [("error: ", "error"), ("warning: ", "warn"), ("warn: ", "warn")]
    where text.hasPrefix(start) {
      return json(level, String(text.dropFirst(start.count)))
    }
    return json("info", String(text))
  }

  /// Seconds since 1970.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
