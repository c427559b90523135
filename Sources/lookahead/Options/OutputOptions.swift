public import ArgumentParser
public import Hosting
import Paging

/// Where items go, and in which form.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: "A file, a folder (ends in /), postgresql://user@host/db, or - for stdout.",
    completion: .file())
  var output = "-"

  @Option(
    help:
      "ndjson, csv, json, sqlite, duckdb, parquet; by default by extension, else ndjson.")
  var format: SinkFormat?

  @Option(
    help: ArgumentHelp(
      "Pack the texts of a folder or standard output; a file's ending says it: items.ndjson.gz, .zst.",
      valueName: "gzip|zstd"))
  var compress: Packing?

  @Flag(help: "Add the name of its stream to each item, as _stream.")
  var tag = false

  @Flag(help: "Write the changes to the items, one operation a line, instead of the items (NDJSON, JSON).")
  var changes = false

  @Flag(help: "In a CSV, put an apostrophe before texts that a spreadsheet would calculate.")
  var csvSafe = false

  func validate() throws {
    if let mistake = configuration(stream: "").mistake { throw ValidationError(mistake.message) }
  }

  /// The sink's configuration; `idField` and `stream` come from the script.
  func configuration(stream: String) -> SinkConfiguration {
    var configuration = SinkConfiguration(path: output, format: format)
    configuration.isTagged = tag
    configuration.writesChanges = changes
    configuration.isCSVSafe = csvSafe
    configuration.defaultStream = stream
    if let compress { configuration.packing = compress }
    return configuration
  }
}

extension SinkFormat: ExpressibleByArgument {}
extension Packing: ExpressibleByArgument {}
