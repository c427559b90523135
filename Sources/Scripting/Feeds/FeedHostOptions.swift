import Items
import Lua
import Paging

extension FeedHost {
  /// What a host of feeds knows of the run.
  struct Options {
    /// Pages of each source after which its reader has enough.
    var maxPages: Int?
    /// Sources of the sink are read again and again.
    var refresh: RefreshRule?
    /// The sink follows what happens to items, step by step.
    var wantsChanges = false
    /// Sources may end before their end.
    var endsEarly = false
    /// Readings for the sink are remembered: each is begun by the sink.
    var remembers = false
    /// The stretch of incremental sources that is wanted, as JSON.
    var since: Bytes?
    var until: Bytes?
    /// Which part of a source its parameters and those of the run say, as JSON; empty where they say nothing.
    var partition: (SourceDefinition?) throws -> String = { _ in "" }
    /// What of the script takes part in a reading, as `ReadingParts.text`.
    var parts: () -> String = { "" }
    /// Takes what feeds have to say.
    var observe: (Observation) -> Void = { _ in }
    /// Called for every fetch that begins for a person who browses.
    var began: (FetchRequest, Instant) -> Void = { _, _ in }
    /// Told what columns of a stream are, before anything is read into it.
    var declareTypes: (_ stream: String?, [String: DeclaredType]) -> Void = { _, _ in }
    /// Called once, when the sink has taken a whole reading of every source that is read again.
    var firstReadingsTaken: () -> Void = {}
    /// Why another program of the run could not read a partition.
    var failureElsewhere: () -> LuaError? = { nil }
    /// Whether this run reads a partition; nil is all of them.
    var takes: ((Partition) throws -> Bool)?
    /// Told of a partition, by its call, that can't be read, where that ends nothing else.
    var partitionFailed: ((HostCallID, LuaError) -> Void)?

    /// How a source is read by that reader: one that is read again keeps its items, to tell what differs.
    func feed(
      _ definition: SourceDefinition, for kind: FeedReader.Kind, fetchesDetails: Bool, _ begun: BegunReading?
    ) -> FeedConfiguration.Options {
      var given = definition.configuration.options
      given.tellsPosition = begun != nil && definition.resumes
      given.tellsRepeated = kind.isSink && definition.isIncremental
      given.beginning = begun.flatMap { begun in
        begun.position.map {
          var beginning = Beginning($0, known: begun.known)
          beginning.failsWhenExpired = definition.failsWhenExpired
          return beginning
        }
      }
      if case .viewport = kind {} else { given.turnsAround = true }
      given.maxPages = maxPages
      given.prefetchesDetails = fetchesDetails
      if case .sink = kind, let refresh {
        given.refreshEverything(
          removing: refresh.removal(isIncremental: definition.isIncremental, write: definition.write))
      }
      return given
    }

    /// The reading of a source into a stream.
    func request(_ definition: SourceDefinition, into stream: String?) throws -> ReadingRequest {
      var request = definition.reading(stream: stream, partition: try partition(definition))
      request.parameters = try partition(nil)
      request.parts = parts()
      if definition.isIncremental { request.bound(since: since, until: until) }
      return request
    }

    /// The partition that a source with these parameters is, a JSON object.
    func partition(
      of definition: SourceDefinition, into stream: String?, with parameters: String?
    ) throws -> Partition {
      Partition(
        source: definition.name, stream: stream, parameters: Bytes(parameters ?? ""),
        text: try partition(definition))
    }
  }
}
