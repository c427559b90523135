import Glibc

/// What a run leaves in a folder of parts until it has ended whole: a manifest that lists nothing and says that the run has begun. Of
/// partitions that it had not come to when it was stopped there is no other trace.
///
/// That of a share is where its manifest will be. Of workers each has one of its own, as many of them are there at the same time.
final class PartMark {
  private let folder: PartFolder
  private let options: PartsOptions
  private let name: String
  /// Held for its lock: a mark without one is that of a process that is gone.
  private let file: FileDescriptor?
  /// Marks of workers that were gone before this one began.
  private let predecessors: [String]

  /// Leaves it: a run begins.
  init(_ options: PartsOptions, in folder: PartFolder) throws(SinkError) {
    (self.options, self.folder) = (options, folder)
    var predecessors: [String] = []
    if let shard = options.shard {
      name = PartManifest.name(of: shard)
    } else if options.endsRun {
      name = PartManifest.ofRun
    } else {
      name = PartManifest.ofNewWorker
      for name in try PartManifest.beside(in: folder)
      where PartManifest.isOfWorker(name) && !PartMark.isHeld("\(folder.path)/\(name)") {
        predecessors.append(name)
      }
    }
    self.predecessors = predecessors
    file = try PartManifest.write(name, of: folder, script: options.script, isBegun: true, [])
  }

  /// Removes it where no manifest has taken its place: the run has ended whole. So do those of earlier workers; and where all partitions
  /// were read, so does whatever shares and workers have left.
  func remove() throws(SinkError) {
    guard options.shard == nil else { return }
    let names = try options.endsRun ? PartManifest.beside(in: folder) : predecessors + [name]
    for name in names { unlink("\(folder.path)/\(name)") }
  }

  /// Whether its process is there; where a file system has no locks, nobody knows.
  private static func isHeld(_ path: String) -> Bool {
    guard let file = try? FileDescriptor.open(path, O_RDWR) else { return false }
    return file.withNumber { OutputLock.lock($0) } == EWOULDBLOCK
  }
}
