import Experiments
import Paging

extension WorldDescription {
  /// Its name in rows: the one it was given, also as the option `name=`, else the text.
  var title: String {
    if let name { return name }
    return (try? WorldText(text))?.options.first { $0.name == "name" }?.value ?? text
  }

  /// The workload it describes.
  func workload() throws(ExperimentError) -> Workload {
    try made("workload") { try Workload(try WorldText(text), contents: contents) }
  }

  /// The network it describes.
  func network() throws(ExperimentError) -> Network {
    let network = try made("network") { try Network(try WorldText(text), contents: contents) }
    for (option, value) in [("loss", network.loss), ("errors", network.errors)] where value > 0.9 {
      throw ExperimentError(
        "network '\(name ?? text)': \(option)",
        expected: "at most 0.9, as a page that never comes has no end",
        got: "\(value)")
    }
    return network
  }

  /// The world, and the invalid part if that says more: the kind is already in the text.
  private func place(of error: InvalidWorld, in what: String) -> String {
    let world = "\(what) '\(name ?? text)'"
    let kind = String(text.prefix { $0 != ":" })
    if [what, kind, "world"].contains(error.name) { return world }
    let part = error.name.hasPrefix(kind + ".") ? String(error.name.dropFirst(kind.count + 1)) : error.name
    return "\(world): \(part)"
  }

  private func made<World>(_ what: String, _ make: () throws -> World) throws(ExperimentError) -> World {
    do {
      return try make()
    } catch let error as InvalidWorld {
      throw ExperimentError(place(of: error, in: what), expected: error.expected, got: error.value)
    } catch let error as TraceTextError {
      throw ExperimentError(
        "\(what) '\(name ?? text)': line \(error.line)", expected: error.expected, got: error.found)
    } catch {
      throw ExperimentError("\(what) '\(name ?? text)'", expected: "a description", got: "\(error)")
    }
  }
}
