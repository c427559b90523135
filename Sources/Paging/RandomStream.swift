/// A seeded stream of random numbers: equal seeds give equal streams everywhere (SplitMix64, Steele et al. 2014).
public struct RandomStream: RandomNumberGenerator, Sendable, Hashable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  /// The stream for one purpose: it depends only on the seed, the name and the numbers, never on earlier draws.
  /// `RandomStream(seed: 1, "latency", session, page)` is the same for every policy.
  public init(seed: UInt64, _ name: String, _ first: Int? = nil, _ second: Int? = nil, _ third: Int? = nil) {
    // FNV-1a over the name; then every part is mixed in, so that neighbours are uncorrelated.
    var key: UInt64 = 0xCBF2_9CE4_8422_2325
    var name = name
    name.withUTF8 { for byte in $0 { key = (key ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 } }
    var mixer = RandomStream(seed: seed)
    mixer.state = mixer.next() ^ key
    func mix(_ number: Int?) {
      if let number { mixer.state = mixer.next() ^ UInt64(bitPattern: Int64(number)) }
    }
    mix(first)
    mix(second)
    mix(third)
    state = mixer.next()
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `0..<1`.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
