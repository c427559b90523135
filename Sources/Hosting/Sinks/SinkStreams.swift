import Glibc
import Items
import Paging
import Text

/// Writes streams to text outputs: one to its file or standard output, several to a file each in a directory or,
/// tagged, together to one.
final class SinkStreams: SinkWriter {
  private(set) var changes = SinkChanges()
  private(set) var remains = SinkRemains()
  let place: OutputPlace
  var configuration: SinkConfiguration { place.configuration }
  private let hurried: StopFlag
  /// Whether others see what is written.
  private var isPublished = false
  /// By file name in a directory; otherwise a single unnamed one.
  private(set) var streams: [String: any SinkStream] = [:]
  /// Set once closed.
  private var writtenBytes: Int?
  private var tags: [String: SinkTag] = [:]
  /// From the first reading that is begun.
  private(set) var state: TextState?
  /// How much of each file counts; nil while that is as it was committed.
  var counting: [(name: String, extent: TextState.Extent)]?
  /// How much of them counted when that was committed.
  private var counted: [String: TextState.Extent] = [:]
  /// How much of them this run found.
  private(set) var found: [String: TextState.Extent] = [:]
  /// Files with which this run goes on, or which it writes anew, and whether items of earlier readings stay in them.
  private(set) var settled: [String: Bool] = [:]
  /// Whether something that a stopped run has left stays before what comes now.
  private var isContinued = false
  /// When the files were last known to be on disk.
  private var syncedAt = ContinuousClock.now
  /// Whether the output or its state could not be written: what came since they last counted does not.
  private var isBroken = false
  /// What came before it is known where the run goes on.
  var waiting = WaitingDeliveries()
  /// Steps that the run does not bring to their ends.
  var cutSteps: [Int] = []
  /// The stream that has the output to itself.
  private var onlyStream: String?

  /// While `hurried` is set, a reader that stalls for a second is abandoned.
  init(_ place: OutputPlace, _ hurried: StopFlag) throws(SinkError) {
    self.place = place
    self.hurried = hurried
    switch place.way {
    case .folder: break
    case .text(let staged): streams[""] = stream(to: try SinkFile(staged, place.configuration.packing))
    case .open, .database, .file, .server: streams[""] = stream(to: try openFile())
    }
  }

  var bytes: Int { writtenBytes ?? streams.values.reduce(0) { $0 + $1.file.offset } }

  func begin(_ request: ReadingRequest) throws(SinkError) -> BegunReading {
    guard let file = place.stateFile else { return BegunReading(request) }
    return try noting { () throws(SinkError) in
      let (state, isVoid) = try openState(file, parameters: request.parameters)
      let stream = request.stream ?? configuration.defaultStream
      let beginning = try state.begin(request, stream: stream)
      let name = configuration.isFolder ? stream : ""
      try settle(name, state)
      let isRewritten = configuration.isFolder && beginning.hasItems && settled[name] != true
      if isRewritten || beginning.outdated != nil {
        try empty(name, of: beginning.begun.id, request.source, state)
      }
      let isMixed = beginning.hasItems && !beginning.comesBehind && settled[name] == true
      if beginning.isRest && !isRewritten || isMixed {
        throw stop(state, TextRefusal.mixed(request.source, configuration.path))
      }
      return beginning.begun(isOutputChanged: isVoid, isOutputContinued: isContinued)
    }
  }

  /// The state, opened once; and whether the files are not as the run before left them, so that nothing goes on.
  func openState(
    _ file: StateFile, parameters: String
  ) throws(SinkError) -> (state: TextState, isVoid: Bool) {
    if let state { return (state, false) }
    let state = try TextState(file, configuration.state)
    self.state = state
    let pipe = if case .open = place.way { " to a pipe" } else { "" }
    let same = try state.hasSame(parameters: parameters, form: configuration.form + pipe)
    let isSame = same.parameters && same.form
    guard state.goesOn else {
      try writeWaiting()
      return (state, false)
    }
    if isSame, !state.wasCut, let refusal = try state.refusal(of: place.returned, configuration.path) {
      throw stop(state, refusal, .invalid)
    }
    var (isAnew, isVoid) = (!isSame, isSame && state.wasCut)
    if !isAnew, !configuration.isFolder { isAnew = try state.hasRests }
    if !isAnew, !isVoid { isVoid = try !goOn(with: state.ownFiles) }
    if isAnew || isVoid {
      if same.parameters, try state.hasItemsOfSteps {
        throw stop(state, TextRefusal.steps(configuration.path))
      }
      try state.startOver()
    }
    isContinued = !isAnew && !isVoid && found.values.contains { $0.length > 0 }
    try writeWaiting()
    return (state, isVoid)
  }

  /// Before the first items of this run come to a file: goes on with what is there, if that stays, or writes it anew.
  private func settle(_ name: String, _ state: TextState) throws(SinkError) {
    guard settled[name] == nil else { return }
    // Whoever asks for more lines expects those that are there to stay.
    if configuration.state.write == .append, !configuration.state.isFresh, state.files[name] == nil,
      let stream = configuration.isFolder ? try streamInFolder(name) : streams[""],
      stream.file.staged?.replacesText == true
    {
      throw stop(state, TextRefusal.foreign(configuration.path))
    }
    let stays = try state.isAddedTo(configuration.isFolder ? name : nil)
    settled[name] = stays
    guard stays else { return try state.settle(name, goesOn: false) }
    if state.files[name] == nil, !state.wentElsewhere(isFolder: configuration.isFolder) { return }
    guard let known = state.files[name], known.chain > 0, streams[name]?.file.isBegun != true,
      try goOn(with: [name: known])
    else {
      throw stop(state, TextRefusal.changed(configuration.path))
    }
    try state.settle(name, goesOn: true)
  }

  /// Empties the file of a reading that begins anew, where nothing else is in it.
  private func empty(_ name: String, of id: Int, _ source: String, _ state: TextState) throws(SinkError) {
    guard let file = streams[name]?.file, found[name] != nil || file.isBegun else { return }
    let isAlone = try !state.hasOthers(than: id, inFileOf: configuration.isFolder ? name : nil)
    guard isAlone, file.staged != nil, file.offset == found[name]?.length,
      settled[name] != true
    else { throw stop(state, TextRefusal.mixed(source, configuration.path)) }
    counted[name] = nil
    try file.empty()
    streams[name] = stream(to: file)
  }

  /// Leaves the state as it is: the next run is to find the same.
  func stop(_ state: TextState, _ message: String, _ code: HostFailure.Code = .io) -> SinkError {
    state.giveUp()
    self.state = nil
    return SinkError(HostFailure(code, message))
  }

  /// Goes on with the files as an earlier run left them; false, and nothing is changed, if one of them is another.
  private func goOn(with files: [String: TextState.Known]) throws(SinkError) -> Bool {
    var left: [(String, any SinkStream, TextState.Extent, StagedFile.Form)] = []
    for (name, known) in files.sorted(by: { $0.key < $1.key }) {
      guard let stream = configuration.isFolder ? try streamInFolder(name) : streams[""],
        let (extent, form) = stream.file.find(known.forms)
      else { return false }
      left.append((name, stream, extent, form))
    }
    for (name, stream, _, _) in left { try refuseAdditions(to: stream.file, name) }
    for (name, stream, extent, form) in left {
      settled[name] = try state?.isAddedTo(configuration.isFolder ? name : nil)
      (counted[name], found[name]) = (extent.text, extent)
      try stream.file.goOn(at: extent, with: form)
      guard stream.goOn(with: extent.layout) else {
        let path = configuration.path.escapingControls
        throw SinkError(
          HostFailure(.io, "\(path): the state of the output is damaged (--fresh begins anew)"))
      }
    }
    return true
  }

  func write(_ delivery: Delivery) throws(SinkError) {
    try noting { () throws(SinkError) in try add(delivery) }
  }

  /// Does something, and notes whether the disk has refused it.
  func noting<Result>(_ body: () throws(SinkError) -> Result) throws(SinkError) -> Result {
    do throws(SinkError) { return try body() } catch {
      isBroken = isBroken || error.isDiskFailure || streams.values.contains(where: \.file.hasFailed)
      throw error
    }
  }

  func add(_ delivery: Delivery) throws(SinkError) {
    if try waits(delivery) { return }
    if let step = delivery.step, let state { return try write(delivery, ofStep: step, state) }
    let name = delivery.stream ?? configuration.defaultStream
    let stream = try stream(name)
    try stream.write(delivery, tag: configuration.isTagged ? tag(name) : nil)
    if configuration.keepsRemoved { changes.keep(delivery, in: name) }
    guard let state, state.add(delivery) else { return }
    markExtents()
  }

  /// What is appended to each file counts.
  func markExtents() {
    counting = streams.compactMap { name, stream in
      // What went to a pipe can't be read back.
      guard stream.file.staged != nil, stream.file.isBegun || stream.file.offset > 0 else { return nil }
      stream.file.mark()
      return (name, TextState.Extent(length: stream.file.offset, layout: stream.layout))
    }
  }

  /// Keeps how much of the files counts; they have been written that far.
  private func commitState() throws(SinkError) {
    guard let state, let counting else { return }
    var files: [(name: String, extent: TextState.Extent, digest: String)] = []
    for (name, extent) in counting where counted[name] != extent {
      guard let file = streams[name]?.file else { continue }
      try file.flush()
      let whole = file.extent(extent)
      files.append((name, whole, try file.digest(at: whole.fileLength)))
      counted[name] = extent
    }
    // A power cut loses a second's work at most.
    if syncedAt.duration(to: .now) > .seconds(1) {
      for (name, _, _) in files { try streams[name]?.file.synchronize() }
      syncedAt = .now
    }
    try state.commit(files)
    self.counting = nil
  }

  func commit() throws(SinkError) {
    if !isBroken { try noting { () throws(SinkError) in try commitAll() } }
  }

  private func commitAll() throws(SinkError) {
    for stream in streams.values {
      // What was written to a pipe can't be undone.
      guard isPublished, let staged = stream.file.staged else {
        try stream.file.flush()
        continue
      }
      // A CSV whose header is too short gets a new one before others see the row.
      if stream.closing.utf8CodeUnitCount == 0 { try stream.finish() }
      try stream.file.flush(closing: stream.closing)
      guard !staged.isPublished else { continue }
      try stream.file.synchronize()
      try stream.file.publish()
    }
    try commitState()
  }

  func publish() throws(SinkError) {
    isPublished = true
    for stream in streams.values { try stream.file.begin() }
    try commit()
  }

  private func stream(_ name: String) throws(SinkError) -> any SinkStream {
    if configuration.isFolder { return try streamInFolder(name) }
    if !configuration.isTagged && !configuration.writesChanges {
      guard onlyStream == nil || onlyStream == name else {
        throw SinkError(configuration.crowd(onlyStream!, name))
      }
      onlyStream = name
    }
    return streams[""]!
  }

  private func streamInFolder(_ name: String) throws(SinkError) -> any SinkStream {
    if let stream = streams[name] { return stream }
    if let failure = configuration.refusal(ofStreams: [name]) { throw SinkError(failure) }
    let slash = configuration.path.hasSuffix("/") ? "" : "/"
    let ending = configuration.packing.map { ".\($0.ending)" } ?? ""
    let path = "\(configuration.path)\(slash)\(name).\(configuration.format.rawValue)\(ending)"
    try SinkFile.spareDatabase(path)
    let stream = stream(to: try SinkFile(try StagedFile(path), configuration.packing))
    streams[name] = stream
    return stream
  }

  private func name(of file: SinkFile) -> String { streams.first { $0.value.file === file }?.key ?? "" }

  private func tag(_ name: String) -> SinkTag {
    if tags[name] == nil { tags[name] = SinkTag(stream: name) }
    return tags[name]!
  }

  private func openFile() throws(SinkError) -> SinkFile {
    let isJSON = configuration.format != .csv
    return try SinkFile(configuration.path, configuration.packing, hurried) {
      isJSON ? HarmlessText.json($0) : HarmlessText.rows($0)
    }
  }

  private func stream(to file: SinkFile) -> any SinkStream {
    switch configuration.format {
    case .csv:
      let csv = SinkCSV(file, isSafe: configuration.isCSVSafe)
      csv.counting = { [unowned self, unowned csv] in counted[name(of: csv.file)]?.length }
      file.willReplace = { [unowned self, unowned csv] counting, digest throws(SinkError) in
        guard counted[name(of: csv.file)] != nil else { return }
        var extent = counting
        extent.layout = csv.layout
        try state?.commit([(name(of: csv.file), extent, digest)], isSecond: true)
      }
      return csv
    case .json where configuration.writesChanges: return SinkOperations(file, isArray: true)
    case .ndjson where configuration.writesChanges: return SinkOperations(file, isArray: false)
    case .json: return SinkJSON(file, isArray: true)
    case .ndjson: return PartLines(file, configuration) ?? SinkJSON(file, isArray: false)
    case .sqlite, .duckdb, .postgresql, .adbc, .parquet: preconditionFailure("a database is not a text")
    }
  }
}

extension SinkStreams {
  /// Leaves everything as it was last kept.
  func abandon() {
    state?.giveUp()
    state = nil
    streams = [:]
    place.release()
  }

  func close(_ ending: SinkEnding) throws(SinkError) {
    defer {
      writtenBytes = bytes
      streams = [:]
      place.release()
    }
    var problem: SinkError?
    func trying(_ body: () throws(SinkError) -> Void) {
      do throws(SinkError) { try body() } catch { problem = problem ?? error }
    }
    // Of a run that was refused, or stopped before, what an earlier one has left stays.
    if ending == .whole { trying { () throws(SinkError) in try writeWaiting() } }
    trying { () throws(SinkError) in try commit() }
    if ending == .whole { trying { () throws(SinkError) in try noting(writeCutSteps) } }
    for stream in streams.values {
      // What was never begun stays as an earlier run left it.
      guard !isBroken, ending == .whole || stream.file.isBegun || stream.file.staged == nil else { continue }
      trying { () throws(SinkError) in try noting { () throws(SinkError) in try finish(stream) } }
    }
    let ending = problem == nil ? ending : .broken
    for stream in streams.values.sorted(by: { $0.file.name < $1.file.name }) {
      trying { () throws(SinkError) in try settle(stream.file, ending) }
    }
    if isBroken { state?.giveUp() }
    trying { () throws(SinkError) in
      if !isBroken, let state {
        if ending == .cut { try takeBack(state) }
        changes.left = try state.close(
          isOver: ending == .whole, hasFailed: ending == .cut, isFolder: configuration.isFolder,
          place.returned)
      }
    }
    state = nil
    if let problem { throw problem }
  }

  private func finish(_ stream: any SinkStream) throws(SinkError) {
    // What others read has its end already, and is never without.
    if stream.file.staged?.isPublished == true, stream.file.isWhole { return try stream.file.synchronize() }
    try stream.file.begin()
    // The next reading adds to what nothing came to, too.
    if let state, cutSteps.isEmpty, counted[name(of: stream.file)] == nil {
      state.isAtPage ? markExtents() : countNothing(of: stream, name(of: stream.file))
    }
    let extent = stream.file.offset
    try stream.finish()
    // A CSV may have been written anew, with more columns.
    if stream.layout != nil, stream.file.offset != extent, state?.isAtPage == true { markExtents() }
    try stream.file.complete()
    try stream.file.synchronize()
    try commitState()
  }

  /// An existing file stays, unless there is a complete one to replace it.
  private func settle(_ file: SinkFile, _ ending: SinkEnding) throws(SinkError) {
    guard let staged = file.staged, !staged.isPublished else { return }
    guard file.isBegun else { return staged.leave() }
    let isCut = ending == .cut || ending == .paused
    if ending == .whole || isCut && !staged.hasOld || staged.isInPlace {
      let name = name(of: file)
      do throws(SinkError) {
        if let state, !isBroken, let length = staged.length {
          try state.noteEnd(of: name, length, try file.digest(at: length))
        }
        try file.publish()
      } catch {
        keepStaged(staged)
        throw error
      }
      if !isBroken { try state?.hasTakenPlace(name) }
      return
    }
    keepStaged(staged)
  }

  private func keepStaged(_ staged: StagedFile) {
    staged.keepStaged()
    remains.keepsOld = remains.keepsOld || staged.hasOld
    remains.aside.append(staged.partialName)
  }
}
