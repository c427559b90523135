import Dispatch
import Hosting
import Items
import Listing
import Paging
import Terminal

// Rows of a table measured by 0 (the reader's own thread), 1 and 2 workers: all rows of a set, and the frames of somebody
// who turns pages. The argument is the length of a text in each item, in KiB.
let kibibytes = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8
let list = makeList(of: 4000, kibibytes: kibibytes)
let jobs = Scrolling.jobs(of: list)
print("\(jobs.count) rows in a set, \(list.items.count) to page through, \(kibibytes) KiB of text in each")
print("workers", "set, ms", "median frame, ms", "99 % of frames, ms", "worst, ms", separator: "\t")
for workers in 0...2 {
  let set = median((0..<9).map { _ in wholeSet(jobs, workers) })
  let scrolling = Scrolling(list, workers: workers)
  let frames = scrolling.frames().sorted()
  let figures = [set, median(frames), frames[frames.count * 99 / 100], frames[frames.count - 1]]
  print(([Double(workers)] + figures).map { "\(($0 * 100).rounded() / 100)" }.joined(separator: "\t"))
}

/// Milliseconds until all jobs are answered.
func wholeSet(_ jobs: [Job<RowSource>], _ workers: Int) -> Double {
  guard workers > 0 else { return milliseconds { for job in jobs { _ = RowSource.row(of: job.work) } } }
  let inbox = Inbox()
  var answered = 0
  let runner = JobRunner<RowSource>(
    name: "rows", workers: workers, limit: jobs.count, post: inbox.post, work: RowSource.row
  ) { _, _ in answered += 1 }
  let time = milliseconds {
    runner.perform(jobs)
    while answered < jobs.count { inbox.turn() }
  }
  runner.finish()
  return time
}

func milliseconds(_ body: () -> Void) -> Double {
  let start = DispatchTime.now().uptimeNanoseconds
  body()
  return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Items with a text, a list of objects and some numbers.
func makeList(of count: Int, kibibytes: Int) -> BrowsedList {
  let words = String(repeating: "Ein längerer Text mit Wörtern, 日本語 and so on. ", count: kibibytes * 20)
  let labels = (1...20).map { "{\"name\":\"label \($0)\",\"color\":\"#ff00ff\"}" }.joined(separator: ",")
  var items = ItemSet()
  _ = items.append(
    (1...count).map { number in
      let text =
        "{\"id\":\(number),\"title\":\"item \(number)\",\"labels\":[\(labels)],\"body\":\"\(number) \(words)\"}"
      return Item(id: .integer(Int64(number)), bytes: Bytes(text))
    })
  return BrowsedList(items: items, isAtEnd: true)
}
