import Glibc
import Lua
import Paging
import Scripting
import Terminal

/// Tab completion: commands and their arguments, else names and fields of Lua.
struct PromptCompleter {
  let session: PromptSession

  func completions(_ text: String, at offset: Int) -> LineCompletions {
    let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
    guard InputSplitter.isCommand(text), !before.contains("\n") else { return lua(text, at: offset) }
    let colon =
      before.utf8.firstIndex(of: UInt8(ascii: ":")).map {
        before.utf8.distance(from: before.utf8.startIndex, to: $0)
      } ?? 0
    let line = String(decoding: before.utf8.dropFirst(colon + 1), as: UTF8.self)
    guard let blank = line.firstIndex(where: \.isWhitespace) else {
      return ofCommands(line, start: colon + 1)
    }
    guard let command = try? session.command(String(line[..<blank])) else {
      return LineCompletions(start: offset)
    }
    let argument = String(line[blank...].drop(while: \.isWhitespace))
    return self.argument(argument, of: command, in: text, at: offset)
  }

  private func argument(
    _ argument: String, of command: PromptCommand, in text: String, at offset: Int
  ) -> LineCompletions {
    let start = offset - argument.utf8.count
    switch command.completes {
    case .nothing: return LineCompletions(start: offset)
    case .expression: return lua(text, at: offset, from: start)
    case .file: return beginning(argument, start, FileNames.completing(argument))
    case .command: return ofCommands(argument, start: start)
    case .documented:
      return beginning(argument, start, APIDescription.names(after: argument))
    case .source: return beginning(argument, start, session.workflow.promptSources.map(\.name))
    case .policy: return beginning(argument, start, BuiltInPolicies.names + ["source"])
    case .words(let words): return beginning(argument, start, words)
    }
  }

  private func ofCommands(_ word: String, start: Int) -> LineCompletions {
    let names = session.commands.map(\.name)
    return beginning(word, start, names, ending: " ")
  }

  /// The words with this prefix.
  private func beginning(_ word: String, _ start: Int, _ words: [String], ending: String = "")
    -> LineCompletions
  {
    let fitting = Array(Set(words.filter { $0.hasPrefix(word) })).sorted()
    return LineCompletions(
      start: start, candidates: fitting, common: CommonBeginning.of(fitting) ?? word, ending: ending)
  }

  /// Completes Lua, which in a command starts after its name.
  private func lua(_ text: String, at offset: Int, from start: Int = 0) -> LineCompletions {
    let code = String(decoding: text.utf8.dropFirst(start), as: UTF8.self)
    let found = session.workflow.completions(of: code, at: offset - start)
    return LineCompletions(
      start: found.start + start, candidates: found.candidates.map(\.text), common: found.common,
      isCut: found.isCut)
  }
}

/// The common prefix of texts.
enum CommonBeginning {
  /// Nil where there are no texts.
  static func of(_ texts: [String]) -> String? {
    guard let first = texts.first else { return nil }
    return texts.dropFirst().reduce(first) { common, text in
      String(zip(common, text).prefix { $0 == $1 }.map(\.0))
    }
  }
}

/// Names of files as a person types them.
enum FileNames {
  /// Files and directories whose path starts with the text; directories end in a slash, hidden ones need a leading dot.
  static func completing(_ text: String) -> [String] {
    let cut = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
    let (shown, name) = (String(text[..<cut]), text[cut...])
    let folder = shown.isEmpty ? "." : PromptPaths.expanded(shown)
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard file.hasPrefix(name), file != ".", file != "..", !file.hasPrefix(".") || name.hasPrefix(".")
      else {
        continue
      }
      found.append(shown + file + (isFolder(folder + "/" + file) ? "/" : ""))
    }
    return found.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
