import Hosting
import Scripting

extension WorkflowOptions {
  /// Lets scripts use what the host has libraries for.
  mutating func addCodecs() {
    digest = { Hosting.digest($0, key: $1, data: $2) }
    xml = { text throws(TextFault) in
      do throws(XMLText.Fault) { return try XMLText.json(of: text) } catch {
        throw TextFault(message: error.message, line: error.line, column: error.column)
      }
    }
  }
}
