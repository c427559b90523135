import ArgumentParser
import Hosting
import Paging
import Text

/// `lookahead collect`: the parts of a folder, checked and brought together.
struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect", _superCommandName: Release.name,
    abstract: "Check the parts of a folder, and bring them together.",
    discussion: """
      EXAMPLES
        lookahead collect all/
        lookahead collect all/ -o all.db

      All partitions have to be whole: those of all/partitions.ndjson if it is there
      (lookahead partitions feed.lua > all/partitions.ndjson), or of all shards, and
      those that were begun; and every run that has begun there has to have ended.
      Then all/manifest.json lists the parts that count, and the next run may begin.
      What is missing is named, with exit code 1. The section BEYOND ONE MACHINE of
      the manual has the rest.
      """)

  @Argument(help: "A folder with parts.", completion: .directory)
  var folder: String

  @Option(
    name: [.short, .long], help: "Write the rows of all parts to a file, a folder (ends in /) or a database.",
    completion: .file())
  var output: String?

  @OptionGroup var secrets: SecretOptions

  @Option(help: "ndjson, csv, json or sqlite; by default what the output's extension says, else ndjson.")
  var format: SinkFormat?

  func validate() throws {
    guard let output else {
      if format != nil { throw ValidationError("--format: of which output? (-o FILE)") }
      return
    }
    if let mistake = SinkConfiguration(path: output, format: format).mistake {
      throw ValidationError(mistake.message)
    }
    if let refusal = StandardStream.refusal(of: output) { throw ValidationError("-o \(refusal.message)") }
  }

  func run() throws {
    let configuration = SinkConfiguration(path: output ?? "-", format: format, secrets: try secrets.values)
    if let mistake = configuration.mistake { throw ValidationError(mistake.message) }
    var lack: String?
    do throws(SinkError) {
      let parts = try PartCollection(folder)
      lack = parts.isWhole ? nil : lacking(parts)
      if lack == nil {
        try parts.writeManifest()
        if output != nil { try write(parts, to: configuration) }
        let count = parts.count
        standardError(
          "\(HarmlessText.line(folder)): \(Amount.count(count)) \(count == 1 ? "partition" : "partitions"), all whole"
        )
      }
    } catch {
      standardError("error: \(error.failure.message)")
      throw error.failure.code == .notFound ? RunExit.noInput : RunExit.output
    }
    guard let lack else { return }
    standardError(lack)
    throw RunExit.failed
  }

  private func write(_ parts: PartCollection, to output: SinkConfiguration) throws(SinkError) {
    var configuration = output
    configuration.state.isKept = false
    let place = try OutputPlace(configuration)
    let sink = LateSink(place)
    try sink.prepare()
    let failure = try parts.deliver(to: sink, at: place)
    let report = sink.finish(failure == nil ? .whole : .broken)
    if let failure = report.failure ?? failure { throw SinkError(failure) }
    for sentence in report.changes.sentences {
      standardError("\(sentence.isWarning ? "warn" : "info"): \(sentence.text)")
    }
  }

  /// Runs that have not ended: what they have not come to is in no other file.
  private func unended(_ runs: [PartCollection.Unended], in folder: String) -> [String] {
    guard let first = runs.first else { return [] }
    let isOfWorker = first.isOfWorker
    let name = isOfWorker && runs.count > 1 ? "manifest.work-*.json" : HarmlessText.line(first.name)
    let path = "\(folder)\(folder.hasSuffix("/") ? "" : "/")\(name)"
    let what =
      isOfWorker
      ? "\(Amount.count(runs.count)) \(runs.count == 1 ? "worker has" : "workers have")" : "a run has"
    let read =
      isOfWorker
      ? "lookahead partitions SCRIPT | lookahead work SCRIPT -o \(folder) --parts"
      : "lookahead run SCRIPT -o \(folder) --parts"
    return [
      "error: \(folder) is not whole: \(what) begun there and not ended, so that nobody knows what is missing (\(path))",
      "  again (what is whole is not read again): \(read)",
      "  or, if all is there that is wanted: rm \(path)",
    ]
  }

  private func lacking(_ parts: PartCollection) -> String {
    let folder = HarmlessText.line(folder)
    if parts.isBare {
      return "error: \(folder) has no parts, and no run has ended there\n"
        + "  to read them: lookahead run SCRIPT -o \(folder) --parts"
    }
    var lines = unended(parts.unended, in: folder)
    if !parts.missingShards.indices.isEmpty {
      let count = parts.missingShards.count
      let names = parts.missingShards.indices.map { "\($0)/\(count)" }
      lines.append(
        "error: \(folder) is not whole: of \(count) shares, \(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") missing"
      )
      lines.append("  again: lookahead run SCRIPT -o \(folder) --parts --shard \(names[0])")
    }
    if let stray = parts.strayShards.first {
      let count = parts.missingShards.count
      let names = parts.strayShards.map { "\($0)/\(count)" }
      lines.append(
        "error: \(folder) is not whole: when \(names.joined(separator: ", ")) \(names.count == 1 ? "was" : "were") read, there were "
          + "other partitions than later, of which nobody may have read some")
      lines.append(
        "  again (what is whole is not read again): lookahead run SCRIPT -o \(folder) --parts --shard \(stray)/\(count)"
      )
    }
    guard let first = parts.missing.first else { return lines.joined(separator: "\n") }
    let count = parts.missing.count
    lines.append(
      "error: \(folder) is not whole: \(Amount.count(count)) \(count == 1 ? "partition is" : "partitions are") missing"
    )
    for missing in parts.missing.prefix(10) {
      lines.append(
        "  \(HarmlessText.line(missing.line ?? missing.id)) \(missing.isBegun ? "was begun and is not whole" : "was never begun")"
      )
    }
    if count > 10 { lines.append("  and \(Amount.count(count - 10)) others") }
    let known = first.line != nil
    let list = known ? "cat \(folder)partitions.ndjson" : "lookahead partitions SCRIPT"
    let one =
      known ? "grep \(first.id) \(folder)partitions.ndjson" : "lookahead partitions SCRIPT | grep \(first.id)"
    lines.append(
      "  all of them (what is whole is not read again): \(list) | lookahead work SCRIPT -o \(folder) --parts")
    lines.append("  only the first: \(one) | lookahead work SCRIPT -o \(folder) --parts")
    return lines.joined(separator: "\n")
  }
}
