public import Paging

/// A script's source that is explored at a prompt: how it is read, and who fetches its pages.
public final class ExploredSource {
  /// Its name in the script.
  public let name: String
  /// How it is read: as in a run, except that passed items are kept.
  public let configuration: FeedConfiguration
  let definition: SourceDefinition
  let reader: ExplorationReader

  /// Maximum items held, unless the source says otherwise.
  private static let mostItems = 10_000

  init(
    _ definition: SourceDefinition, maxItems: Int?, reader: ExplorationReader
  ) throws(InvalidConfiguration) {
    name = definition.name
    self.definition = definition
    self.reader = reader
    var options = definition.configuration.options
    options.releasesPassedItems = false
    options.checksTotal = false
    options.maxItems =
      maxItems ?? max(Self.mostItems, options.pageSize + 2 * (options.prefetchDistance ?? 0))
    configuration = try FeedConfiguration(options)
  }
}
<<<<<<< HEAD

extension Workflow {
  /// The source in a value of the session, ready to be explored. Nil if it is something else; throws if the source
  /// can't be read. If it replaces another, its items are distinguished from those.
  public func exploredSource(
    _ value: PromptValue, insteadOf old: ExploredSource? = nil
  ) throws -> ExploredSource? {
    let stack = prelude.state.stack
    let top = stack.count
    defer { stack.truncate(to: top) }
    limits.renew()
    stack.push(value.reference)
    guard stack.isTable(at: -1), try definitions.isSource(stack, at: stack.count) else { return nil }
    let definition = try definitions.sealed(stack, at: stack.count)
    stack.push(definition.table)
    let fields = DefinitionFields(stack: stack, table: stack.count)
    do throws(InvalidConfiguration) {
      let source = try ExploredSource(
        definition, maxItems: try fields.count("maxItems"), id: turn.nextNumber())
      if let old { source.reader.countOn(after: old.reader) }
      return source
    } catch {
      throw LuaError(.runtime, "source '\(definition.name)': \(error.text)")
    }
  }
}
=======
>>>>>>> 90bfe28 (An event costs the lab what it did: one look at it, no copies of what is held; objects with the same keys are written in the same order again; a person at a prompt explores through one host)
