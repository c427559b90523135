/// Places labels in a picture without overlaps.
struct LabelRoom {
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double
  private var taken: [Box] = []

  init(left: Double, right: Double, top: Double, bottom: Double) {
    self.left = left
    self.right = right
    self.top = top
    self.bottom = bottom
  }

  private struct Box {
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    func meets(_ other: Box) -> Bool {
      x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
  }

  /// Reserves an area.
  mutating func block(x: Double, y: Double, width: Double, height: Double) {
    taken.append(Box(x: x, y: y, width: width, height: height))
  }

  /// A free position for a label beside a point: right, left, above or below; nil if there is no room.
  mutating func place(_ text: String, x: Double, y: Double) -> (x: Double, y: Double, anchor: String)? {
    let width = Double(text.count) * 7
    let tries: [(x: Double, y: Double, anchor: String, start: Double)] = [
      (x + 12, y + 4, "start", x + 12), (x - 12, y + 4, "end", x - 12 - width),
      (x, y - 13, "middle", x - width / 2), (x, y + 21, "middle", x - width / 2),
      (x + 9, y - 9, "start", x + 9), (x + 9, y + 17, "start", x + 9),
      (x - 9, y - 9, "end", x - 9 - width), (x - 9, y + 17, "end", x - 9 - width),
    ]
    for attempt in tries {
      let box = Box(x: attempt.start, y: attempt.y - 10, width: width, height: 13)
      guard box.x >= left + 2, box.x + box.width <= right + 10, box.y >= top, box.y + box.height <= bottom - 1
      else {
        continue
      }
      if taken.contains(where: box.meets) { continue }
      taken.append(box)
      return (attempt.x, attempt.y, attempt.anchor)
    }
    return nil
  }
}
