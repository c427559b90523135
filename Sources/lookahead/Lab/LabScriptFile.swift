import Experiments
import Glibc
import Lua
import Paging
import Scripting

/// A script of a lab command, loaded on the calling thread.
struct LabScriptFile {
  private let path: String
  private let text: String
  private let folder: String
  private let messages: LabMessages

  init(path: String, text: String, folder: String, messages: LabMessages) {
    self.path = path
    self.text = text
    self.folder = folder
    self.messages = messages
  }

  /// The loaded script; errors have been shown when it throws.
  func loaded() throws -> LabScript {
    let file = ScriptFile(text: text, path: path, folder: folder)
    var options = file.options
    options.observe = { [messages] observation in
      guard case .logged(let level, let message, let fields) = observation else { return }
      messages.say(LogLine(level: .init(rawValue: level) ?? .info, message: message, fields: fields).text)
    }
    do {
      return try LabScript(text: text, options: options) { try files($0) }
    } catch let error as LuaError {
      standardError(Wording(error, of: file).text)
      throw RunExit(error)
    }
  }

  /// The recordings that a path of the script stands for.
  private func files(_ path: String) throws -> [WorldFile] {
    let isBelow = path.hasPrefix(folder + "/")
    return try WorldFiles.all(
      of: isBelow ? String(path.dropFirst(folder.count + 1)) : path, prefix: isBelow ? folder + "/" : "", read
    )
  }

  /// A recording named by the script, below its own directory.
  private func read(_ file: String) throws(RunExit) -> String {
    let name = file.hasPrefix(folder + "/") ? String(file.dropFirst(folder.count + 1)) : file
    let text: String?
    do throws(TextFileError) {
      text = try ScriptFile(text: self.text, path: path, folder: folder).neighbour(name)
    } catch {
      standardError("error: \(path): can't read \(name): \(error.reason)")
      throw .noInput
    }
    if let text { return text }
    let isElsewhere = name.hasPrefix("/") || name.contains("..")
    if !isElsewhere, access(folder + "/" + name, F_OK) != 0 {
      standardError("error: \(path): can't read \(name): \(systemError())")
      throw .noInput
    }
    standardError("error: \(path): \(name) is not below the script's folder")
    throw .denied
  }
}

extension LabScript {
  /// Adds all declarations to an experiment; a declared experiment also contributes its settings.
  func add(to experiment: inout Experiment) {
    for own in experiments {
      experiment.title = own.title
      experiment.sources += own.sources
      experiment.policies += own.policies
      experiment.workloads += own.workloads
      experiment.networks += own.networks
      experiment.sessions = own.sessions
      experiment.isPaired = own.isPaired
      experiment.isTogether = own.isTogether
      experiment.seed = own.seed
      experiment.costs.merge(own.costs) { $1 }
      experiment.sweep += own.sweep
      experiment.baseline = own.baseline ?? experiment.baseline
    }
    experiment.sources += sources
    experiment.policies += policies
    experiment.workloads += workloads
    experiment.networks += networks
    experiment.keep(self)
  }
}
