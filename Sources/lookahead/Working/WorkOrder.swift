import Hosting
import Items
import JSON
import Paging

/// A line that an engine writes to a worker's standard input.
enum WorkOrder {
  /// A partition to read, as `lookahead partitions` prints it.
  case partition(WorkPartition)
  /// Permits for requests to a host, for so many seconds; `until` is on the clock of this machine.
  case grant(host: String, permits: Int, lease: Double?, until: Double?)
  /// Nobody sends to the host for so long.
  case pause(host: String, seconds: Double)

  /// Why a line is none.
  struct Mistake: Error {
    let text: String
  }

  init(_ line: String) throws(Mistake) {
    guard let tree = try? JSONTree(line), case .object(let members) = tree else {
      throw Mistake(text: "expected a JSON object, got \(line.prefix(60))")
    }
    if let grant = members["grant"] {
      guard let host = grant["host"]?.text,
        let permits = grant["permits"]?.number.flatMap({ Int(exactly: $0) }),
        Border.held.contains(permits), grant["lease"]?.number ?? grant["until"]?.number != nil
      else { throw Mistake(text: "a grant has a host, permits, and lease or until: \(line.prefix(200))") }
      self = .grant(
        host: host, permits: permits, lease: grant["lease"]?.number, until: grant["until"]?.number)
    } else if let pause = members["pause"] {
      guard let host = pause["host"]?.text, let seconds = pause["seconds"]?.number,
        Border.seconds.contains(seconds)
      else { throw Mistake(text: "a pause has a host and seconds: \(line.prefix(200))") }
      self = .pause(host: host, seconds: seconds)
    } else if let id = members["id"]?.text, let source = members["source"]?.text {
      let read = try? JSONReader.read(line) { value in
        value.members.first { $0.key.string == "parameters" }.map { Bytes(copying: $0.value.written) }
      }
      guard let parameters = read ?? nil, parameters.string.hasPrefix("{") else {
        throw Mistake(text: "a partition has an id, a source and parameters: \(line.prefix(200))")
      }
      self = .partition(
        WorkPartition(
          id: id, line: line,
          partition: Partition(source: source, stream: members["stream"]?.text, parameters: parameters)))
    } else {
      let name = members.keys.sorted().first ?? ""
      throw Mistake(text: "an order \"\(name)\" is not known (expected a partition, grant or pause)")
    }
  }
}

/// A partition that a worker is to read.
struct WorkPartition {
  let id: String
  /// As it came.
  let line: String
  let partition: Partition
}
