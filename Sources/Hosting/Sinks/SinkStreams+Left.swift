/// What readings brought that came to no good end, in texts to which the next reading adds.
extension SinkStreams {
  /// Has a file count no further than this run found it, where nothing came to it but what such readings brought: the next run reads
  /// them anew, and would bring it once more. What can't be taken back is refused then.
  func takeBack(_ state: TextState) throws(SinkError) {
    for (name, extent) in found where settled[name] == true {
      let readings = state.failed(inFileOf: configuration.isFolder ? name : nil)
      guard !readings.isEmpty, let stream = streams[name], stream.layout == extent.layout else { continue }
      try state.takeBack(readings)
      try state.commit([(name, extent, try stream.file.digest(at: extent.fileLength))])
    }
  }

  /// What somebody else has added to a file since it took its place would be lost as the next one does.
  func refuseAdditions(to file: SinkFile, _ name: String) throws(SinkError) {
    guard let state, let found = file.staged?.target,
      let refusal = try state.refusal(of: name, at: file.name, found)
    else { return }
    throw stop(state, refusal)
  }
}
