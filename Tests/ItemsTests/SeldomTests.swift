import Items
import Testing

@Suite struct SeldomTests {
  private struct Owner {
    @Seldom var names: [String]?
  }

  @Test func `it is a pointer, and nothing is there at first`() {
    #expect(MemoryLayout<Seldom<(Int, Int, Int)>>.size == MemoryLayout<Int>.size)
    #expect(Owner().names == nil)
  }

  @Test func `a copy sees nothing of what another one sets or changes`() {
    var first = Owner(names: ["a"])
    let copy = first

    first.names?.append("b")
    let appended = first
    first.names = nil

    #expect(copy.names == ["a"])
    #expect(appended.names == ["a", "b"])
    #expect(first.names == nil)
  }

  @Test func `changing a part of what is not there does nothing`() {
    var owner = Owner()
    owner.names?.append("a")

    #expect(owner.names == nil)
  }
}
