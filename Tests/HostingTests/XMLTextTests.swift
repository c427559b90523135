import Hosting
import Items
import Testing

@Suite struct XMLTextTests {
  private func json(_ text: String) throws -> String { try XMLText.json(of: Array(text.utf8)).string }

  @Test(arguments: [
    ("<a/>", #"["a",{},"",[]]"#),
    ("<a x='1' y='&lt;'>t</a>", #"["a",{"x":"1","y":"<"},"t",[]]"#),
    (
      "<a>\n <b>1</b>\n <b> 2 </b>\n</a>",
      #"["a",{},"",[["b",{},"1",[]],["b",{},"  2 ",[]]]]"#.replacing("  2", with: " 2")
    ),
    ("<p:a xmlns:p='u'><![CDATA[<&>]]>é</p:a>", #"["p:a",{"xmlns:p":"u"},"<&>é",[]]"#),
    ("<!DOCTYPE a><a><!-- c --><?p i?>x</a>", #"["a",{},"x",[]]"#),
  ])
  func `an element has its name, attributes, text and children`(text: String, wanted: String) throws {
    #expect(try json(text) == wanted)
  }

  @Test(arguments: [
    ("", 1, 1, "no element found"), ("<a><b></a>", 1, 9, "mismatched tag"),
    ("<a>\n<b c=></b></a>", 2, 6, "not well-formed"),
    ("<a>&nbsp;</a>", 1, 4, "undefined entity"),
    ("<!DOCTYPE a SYSTEM 'x'><a>&e;</a>", 1, 27, "the entity 'e' is not known"),
    ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", 1, 23, "it declares the entity 'x'"),
    ("<!DOCTYPE a [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><a/>", 1, 34, "it declares the entity 'p'"),
  ])
  func `what is not read is named with its place`(text: String, line: Int, column: Int, message: String) {
    let fault = #expect(throws: XMLText.Fault.self) { try json(text) }

    #expect(fault?.message.hasPrefix(message) == true, "\(String(describing: fault))")
    #expect(fault?.line == line)
  }

  @Test func `elements are 400 deep at most`() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
    }

    #expect(try json(nested(400)).utf8.count > 400)
    #expect(throws: XMLText.Fault.self) { try json(nested(401)) }
  }
}
