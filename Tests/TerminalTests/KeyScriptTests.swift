import Terminal
import Testing

@Suite struct KeyScriptTests {
  @Test func `names of keys are keys, and other words are typed`() throws {
    let script = try KeyScript("PageDown g type:g? /foo Ctrl-C Space")

    #expect(
      script.steps == [
        .key(.pageDown), .key(.character("g")), .key(.character("g")), .key(.character("?")),
        .key(.character("/")), .key(.character("f")), .key(.character("o")), .key(.character("o")),
        .key(.control("c")), .key(.character(" ")),
      ])
  }

  @Test func `a key is repeated with pauses`() throws {
    let script = try KeyScript("Down*2@50ms wait:1.5s settle size:100x30")

    #expect(
      script.steps == [
        .key(.down), .wait(.milliseconds(50)), .key(.down), .wait(.milliseconds(50)),
        .wait(.milliseconds(1500)), .settle(KeyScript.patience), .resize(columns: 100, rows: 30),
      ])
  }

  @Test(arguments: ["Down*0", "Down*x", "wait:soon", "wait:2h", "size:80", "settle:now", "Up@"])
  func `a word that says nothing is refused`(word: String) {
    #expect(throws: KeyScriptError.self) { try KeyScript("Up \(word)") }
  }
}
