import Paging

/// One case of the batch fetching suites.
struct BatchFetchCase: Decodable {
  struct Size: Decodable {
    let w: Double
    let h: Double
    var extent: Extent { Extent(width: w, height: h) }
  }

  struct Point: Decodable {
    let x: Double
    let y: Double
    var extent: Extent { Extent(width: x, height: y) }
  }

  struct Inputs: Decodable {
    let context_state: String
    let scroll_direction: String
    let scrollable_directions: String
    let bounds: Size
    let content_size: Size
    let target_offset: Point
    let leading_screens: Double
    let visible: Bool
    let rtl: Bool
    let velocity: Point
    let flips_horizontally_in_opposite_layout_direction: Bool
    let delegate: Bool?
  }

  struct Expected: Decodable {
    let should_fetch: Bool
    let delegate_called: Bool?
    let delegate_hint: Bool?
    let delegate_remaining_time: Double?
  }

  let `case`: String
  let inputs: Inputs
  let expected: Expected

  var state: ScrollState {
    var state = ScrollState()
    state.isFetching = inputs.context_state == "fetching"
    state.scrollDirection = directions(inputs.scroll_direction)
    state.scrollableDirections = directions(inputs.scrollable_directions)
    state.bounds = inputs.bounds.extent
    state.contentSize = inputs.content_size.extent
    state.targetOffset = inputs.target_offset.extent
    state.leadingScreens = inputs.leading_screens
    state.isVisible = inputs.visible
    state.isRightToLeft = inputs.rtl
    state.velocity = inputs.velocity.extent
    state.flips = inputs.flips_horizontally_in_opposite_layout_direction
    return state
  }

  private func directions(_ name: String) -> ScrollDirections {
    switch name {
    case "right": .right
    case "left": .left
    case "up": .up
    case "down": .down
    case "vertical": .vertical
    case "horizontal": .horizontal
    case "both": [.vertical, .horizontal]
    default: []
    }
  }
}
