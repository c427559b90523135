import Lua
import Scripting
import Testing

/// Numbers that no arithmetic survives, in every place where a script gives one.
@Suite struct NumberTests {
  /// A script with a number `V`, which may use `numbered`, a source that takes any options.
  struct Place: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    /// Whether large numbers are allowed there and take their time.
    let isSlow: Bool?
    var testDescription: String { name }
  }

  static let values = [
    "0", "-1", "1", "1.5", "2^31", "2^53", "2^62", "2^63", "-2^63", "1e9", "1e15", "1e300", "1e-9", "1e-320",
    "math.huge",
    "-math.huge", "0/0", "math.maxinteger", "math.mininteger", "math.maxinteger - 1", "8999999999999999999",
  ]

  /// A source of thirty items, as well as its options let it.
  private static let numbered = """
    local pages = 0
    local function numbered(options)
      local total = options.total
      options.total, options.name = nil, "numbered"
      options.fetch = options.fetch or function(context)
        local first = type(context.key) == "number" and context.key or 0
        local items = {}
        for n = 1, math.min(context.size, 10) do items[n] = { id = ("%s/%d"):format(first, n) } end
        pages = pages + 1
        return { items = items, total = total, isLast = pages > 3, nextKey = pages <= 3 and first + 0.5 or nil }
      end
      return lookahead.source(options)
    end

    """

  @Test(arguments: cases("number-places") as [Place], values)
  func `no number ends the host, and each is taken or refused at its line`(_ place: Place, _ value: String)
    throws
  {
    if place.isSlow == true, value == "1e9" || value == "2^31" { return }
    let text = Self.numbered + place.script.replacing("V", with: "(\(value))")

    let run = try ScriptRun(text) { options in
      options.lab = LabRecorder()
      options.budget.memory = 200 << 20
    }

    #expect(run.isFinished)
    if let failure = run.failure {
      #expect(
        failure.hasPrefix("feed.lua:") || failure.hasPrefix("source 'numbered'") || run.code != nil,
        "\(failure)")
      #expect(!failure.contains("lookahead:"), "\(failure)")
    }
  }
}
