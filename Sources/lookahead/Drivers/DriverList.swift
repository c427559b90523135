import Hosting
import Text

/// The drivers of this machine, tried, and those that are known and missing.
struct DriverList {
  private struct Line {
    let name: String
    let opens: String
    var version = ""
    var path: String?
    /// Why it is of no use, with what to do.
    var problem: String?
  }

  private let lines: [Line]
  private let places: [DriverSearch.Place]

  /// Looks for drivers and loads each, to see whether that works.
  init(_ search: DriverSearch = DriverSearch()) {
    places = search.places
    let found = search.drivers
    var lines = found.map { driver in
      var line = Line(
        name: driver.name, opens: DriverKind(rawValue: driver.name)?.opens ?? "adbc:\(driver.name)?…",
        version: driver.version ?? "", path: driver.path)
      do throws(ADBCError) {
        let loaded = try driver.load()
        if line.version.isEmpty { line.version = loaded.isNew ? "ADBC 1.1" : "ADBC 1.0" }
      } catch {
        line.problem = error.message
      }
      return line
    }
    for kind in DriverKind.allCases where !found.contains(where: { $0.name == kind.rawValue }) {
      lines.append(
        Line(
          name: kind.rawValue, opens: kind.opens,
          problem: "missing: lookahead drivers install \(kind.rawValue)"))
    }
    let order = DriverKind.allCases.map(\.rawValue)
    self.lines = lines.sorted { left, right in
      let (first, second) = (order.firstIndex(of: left.name) ?? 9, order.firstIndex(of: right.name) ?? 9)
      return (first, left.name) < (second, right.name)
    }
  }

  /// For people: a table, and where drivers were looked for.
  var text: String {
    let rows = lines.map { [$0.name, $0.opens, $0.version, $0.problem ?? $0.path ?? ""] }
    let table = TextTable(["driver", "opens", "version", "where"], rows: rows).text
    let looked = places.map { "  \($0.path)  (\($0.reason))" }
    return ([table, "looked in, in this order:"] + looked).joined(separator: "\n")
  }

  /// For programs.
  var json: String {
    let objects = lines.map { line in
      var object = JSONLine()
      object.add("name", line.name)
      object.add("opens", line.opens)
      object.add("version", line.version)
      object.add("path", line.path ?? "")
      object.add("state", line.problem == nil ? "ok" : line.path == nil ? "missing" : "broken")
      object.add("text", line.problem ?? "")
      return object.text
    }
    return "[\n" + objects.joined(separator: ",\n") + "\n]"
  }
}
