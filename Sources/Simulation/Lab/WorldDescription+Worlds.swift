import Experiments
import Paging

extension WorldDescription {
  /// Its name in rows: the one it was given, also as the option `name=`, else the text.
  var title: String {
    if let name { return name }
    guard let parts = try? WorldMixture(text).parts, parts.count == 1 else { return text }
    return parts[0].world.options.first { $0.name == "name" }?.value ?? text
  }

  /// The readers it describes.
  func readers() throws(ExperimentError) -> Population<NamedWorkload> {
    try population("workload") { world, file in
      NamedWorkload(name: file?.name ?? world.text, workload: try Workload(world, contents: file?.contents))
    }
  }

  /// The networks it describes.
  func networks() throws(ExperimentError) -> Population<NamedNetwork> {
    let networks = try population("network") { world, file in
      let network = try Network(world, contents: file?.contents)
      return NamedNetwork(
        name: file?.name ?? world.text, network: network, usualLatency: network.usualLatency)
    }
    for network in networks.members.map(\.network) {
      for (option, value) in [("loss", network.loss), ("errors", network.errors)] where value > 0.9 {
        throw ExperimentError(
          "network '\(name ?? text)': \(option)",
          expected: "at most 0.9, as a page that never comes has no end",
          got: "\(value)")
      }
    }
    return networks
  }

  /// A member for every world of the text, and for every file of a folder.
  private func population<Member>(
    _ what: String, _ make: (WorldText, WorldFile?) throws -> Member
  ) throws(ExperimentError) -> Population<Member> {
    let mixture = try made(what, nil) { try WorldMixture(text) }
    var parts: [Population<Member>.Part] = []
    for part in mixture.parts {
      let files = files.filter { $0.place == nil || $0.place == part.world.file }
      var members: [Member] = []
      if part.world.file == nil || files.isEmpty {
        members = [try made(what, nil) { try make(part.world, nil) }]
      } else {
        for file in files {
          members.append(try made(what, files.count > 1 ? file : nil) { try make(part.world, file) })
        }
      }
      parts.append(.init(weight: part.weight, members: members))
    }
    return Population(parts)
  }

  /// The world, and the invalid part if that says more: the kind is already in the text.
  private func place(of error: InvalidWorld, in what: String, _ file: WorldFile?) -> String {
    let world = "\(what) '\(name ?? text)'" + (file.map { ": \($0.name)" } ?? "")
    let kind = String(text.prefix { $0 != ":" })
    if [what, kind, "world"].contains(error.name) { return world }
    let part = error.name.hasPrefix(kind + ".") ? String(error.name.dropFirst(kind.count + 1)) : error.name
    return "\(world): \(part)"
  }

  private func made<World>(
    _ what: String, _ file: WorldFile?, _ make: () throws -> World
  ) throws(ExperimentError) -> World {
    do {
      return try make()
    } catch let error as InvalidWorld {
      throw ExperimentError(place(of: error, in: what, file), expected: error.expected, got: error.value)
    } catch let error as TraceTextError {
      throw ExperimentError(
        "\(what) '\(name ?? text)':\(file.map { " \($0.name):" } ?? "") line \(error.line)",
        expected: error.expected, got: error.found)
    } catch {
      throw ExperimentError("\(what) '\(name ?? text)'", expected: "a description", got: "\(error)")
    }
  }
}
