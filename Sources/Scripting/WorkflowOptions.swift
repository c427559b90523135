public import Experiments
public import Lua
public import Items
public import Paging

/// How a script is run: what the person asked for, and the few things that are not host calls.
///
/// ```swift
/// var options = WorkflowOptions(scriptName: "feed.lua", scriptFolder: "/home/ada")
/// options.limit = 100
/// options.parameters = ["query": "lamps"]
/// ```
public struct WorkflowOptions {
  /// Shown in errors, as `feed.lua`.
  public var scriptName: String
  /// What relative paths of the script count from.
  public var scriptFolder: String
  public var budget = LuaBudget()
  /// For `math.random`, jitter and the like.
  public var seed: UInt64 = 0
  /// Seconds from 1970 to the start of the run.
  public var startedAt: Double?
  /// What `--param` and its like gave, by name.
  public var parameters: [String: String] = [:]
  /// They are those of a recording, which may be of another version of the script: what it does not know is left out.
  public var areParametersRecorded = false
  /// Names of parameters that were given as secrets; messages name that option.
  public var secretNames: Set<String> = []
  /// Names of parameters that were given for whichever script runs: one that has none of that name goes on.
  public var environmentNames: Set<String> = []
  /// Sources to read of those that a script returns; empty is all.
  public var sources: [String] = []
  /// Items after which the run is over.
  public var limit: Int?
  /// Pages of each source after which it is over.
  public var maxPages: Int?
  /// Read the returned sources again and again; nil is once.
  public var refresh: RefreshRule?
  /// A person reads the first of the returned sources, in the place of the sink.
  public var browse: BrowseOptions?
  /// A person types lines of Lua beside the script; the run ends when they leave.
  public var prompt: PromptOptions?
  /// Tell the sink what happened, step by step, also where it would take new forms of items as items.
  public var wantsChanges = false
  /// The script itself may end a source before its end, because enough was asked for: no reading is complete.
  public var endsEarly = false
  /// The sink remembers how far it has come with each source.
  public var remembers = false
  /// What takes the place of the bookmarks, and the greatest one that is wanted, as JSON; nil leaves them.
  public var since: Bytes?
  public var until: Bytes?
  /// Takes the place of a source's own policy, by the source's name; nil leaves it.
  public var policy: ((_ source: String) throws -> (any FetchPolicy)?)?
  /// Takes the place of the sources' own settings.
  public var overrides = SourceOverrides()
  /// Declare only: nothing waits, nothing is read.
  public var isCheck = false
  /// Show requests instead of sending them.
  public var isDryRun = false

  /// The text and the shown name of a module, by its name in `require`; nil when there is none.
  public var loadModule: (String) -> (text: String, name: String)? = { _ in nil }
  /// Called on another thread when a stopped script sits in one long call of Lua's library and cannot be reached.
  public var stuck: (@convention(c) () -> Void)?
  /// Takes `print`, `log` and what the machine has to say.
  public var observe: (Observation) -> Void = { _ in }
  /// A digest of the data, keyed (HMAC) where there is a key, by the name of its algorithm in `lookahead.hash`.
  public var digest: (_ algorithm: String, _ key: [UInt8]?, _ data: [UInt8]) -> [UInt8] = { _, _, _ in [] }
  /// The root element of an XML text, as JSON: `["name",{"attribute":"value"},"text",[element, …]]`.
  public var xml: (_ text: [UInt8]) throws(TextFault) -> Bytes = { _ throws(TextFault) in
    throw TextFault(message: "XML can't be read here", line: 1, column: 1)
  }
  /// Why items of these streams can't go to the sink together; asked before anything is fetched for it.
  public var refuseStreams: (_ names: [String], _ areAdded: Bool) -> HostFailure? = { _, _ in nil }
  /// Told the streams of all sources that the script returns, before anything is read; none is the only or first stream.
  public var tellStreams: (_ names: [String]) -> Void = { _ in }
  /// Told what columns of a stream are, before anything is read into it; nil is the only or first stream.
  public var declareTypes: (_ stream: String?, [String: DeclaredType]) -> Void = { _, _ in }
  /// Called once, when each source that is read again was read to its end, and the sink has taken what that brought.
  public var firstReadingsTaken: () -> Void = {}

  /// Whether this run reads a partition, asked before each; nil is all of them.
  public var takes: ((Partition) throws -> Bool)?
  /// The script has to return sources.
  public var needsSources = false
  /// Partitions come from outside, as calls, in place of those that the script returns. One that fails is told here and its
  /// call answered with it; the others go on.
  public var partitionFailed: ((HostCallID, LuaError) -> Void)?

  /// Each attempt at an HTTP exchange is a `.request`, which waits outside for a permit, instead of `.http`.
  public var asksPermits = false

  /// Copies of the workflow, on threads of their own, that read the partitions in its place.
  public var copies = 0
  /// Why a copy failed.
  public var failureElsewhere: () -> LuaError? = { nil }
  /// What copies have counted.
  public var tallyElsewhere: () -> [CopyTally] = { [] }

  /// Runs the experiments of scripts; without it there are none.
  public var lab: (any ScriptLab)?

  /// The largest body of an answer, in bytes.
  public var maxBody = 256 << 20

  public init(scriptName: String, scriptFolder: String) {
    self.scriptName = scriptName
    self.scriptFolder = scriptFolder
  }
}

extension WorkflowOptions {
  /// What a source is called that has no name of its own: the script's file without its ending.
  var sourceName: String {
    let file = scriptName.split(separator: "/").last.map(String.init) ?? scriptName
    return file.hasSuffix(".lua") ? String(file.dropLast(4)) : file
  }
}
