import Hosting

extension ScriptFile {
  /// Loads the drivers of databases that the script, its modules or its parameters speak of: inside of the cage it is too late.
  /// Answers which files they read themselves.
  func loadDrivers(_ parameters: [String] = []) -> [String] {
    var texts = [text]
    var seen: Set<String> = []
    var next = 0
    while next < texts.count, texts.count < 100 {
      for name in ScriptFile.required(in: texts[next]) where seen.insert(name).inserted {
        if let module = readModule(name) { texts.append(module.text) }
      }
      next += 1
    }
    LoadedDrivers.shared.prepare(for: texts + parameters)
    return LoadedDrivers.shared.neededPaths
  }

  /// The names of modules that a text asks for, as they are written.
  private static func required(in text: String) -> [String] {
    let bytes = Array(text.utf8)
    let word = "require".utf8
    return bytes.indices.compactMap { place in
      guard bytes[place...].starts(with: word) else { return nil }
      let rest = bytes[(place + word.count)...].drop { " (".utf8.contains($0) }
      guard let quote = rest.first, "\"'".utf8.contains(quote) else { return nil }
      let name = rest.dropFirst().prefix { $0 != quote && $0 >= UInt8(ascii: " ") }
      return String(decoding: name, as: UTF8.self)
    }
  }
}
