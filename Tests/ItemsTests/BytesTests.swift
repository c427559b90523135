import Items
import Testing

@Suite struct BytesTests {
  @Test func `bytes are equal when all of them are, wherever they are stored`() {
    let text = (0..<40).map { "\($0 % 10)" }.joined()
    let long = Bytes("xx" + text)

    for length in 0...40 {
      let one = Bytes(String(text.prefix(length)))
      #expect(one == long[2..<2 + length])
      #expect(one == one[0..<length])
      for place in 0..<length {
        var other = Array(text.utf8.prefix(length))
        other[place] ^= 1
        #expect(one != Bytes(String(decoding: other, as: UTF8.self)), "\(place) of \(length)")
      }
    }
    #expect(Bytes("a") != Bytes("ab"))
    #expect(long[0..<1] == long[1..<2])
    #expect(long[2..<5] != long[3..<6])
  }
}
