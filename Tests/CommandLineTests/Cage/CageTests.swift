import Foundation
import Testing

/// The kernel's cage, seen by a script with a hole put back.
@Suite(.waiting, .enabled(if: Hole.isHeld)) struct CageTests {
  @Test func `a hole under default permissions finds no program, no process, no file and no net`() throws {
    let hole = try Hole()
    let secret = "\(hole.elsewhere)/.ssh/key"
    let deeds =
      Hole.never + [
        "read /etc/passwd", "read \(secret)", "read /proc/1/environ", "read /proc/self/mem", "list /etc",
        "write \(secret)", "cut \(secret)", "remove \(secret)", "mode \(secret)",
        "make \(hole.elsewhere)/new",
        "make /tmp/lookahead-hole", "link \(hole.elsewhere)/link", "connect \(Server.faults.port)",
        "socket 2",
        "datagrams 2",
      ]

    let answers = try hole.answers(deeds, ["run", "scripts/feed.lua"])

    #expect(answers.keys.sorted() == deeds.sorted())
    #expect(answers.filter { !Hole.refusals.contains($0.value) } == [:])
    #expect(try hole.scratch.text("elsewhere/.ssh/key") == "secret")
  }

  @Test func `a hole reads the script's own folder, and does not write it`() throws {
    let hole = try Hole()
    let script = "\(hole.scratch.path)/scripts/feed.lua"

    let answers = try hole.answers(["read \(script)", "write \(script)"], ["run", "scripts/feed.lua"])

    #expect(answers == ["read \(script)": "done", "write \(script)": "EACCES"])
  }

  @Test func `a hole under --allow-net=ADDRESS connects to that port and no other`() throws {
    let hole = try Hole()
    let port = Server.faults.port
    let deeds = [
      "connect \(port)", "connect \(port ^ 1)", "datagrams 2", "read /etc/passwd", "read /etc/hosts",
    ]

    let answers = try hole.answers(
      deeds + Hole.never, ["run", "scripts/feed.lua", "--allow-net=127.0.0.1:\(port)"])

    #expect(answers["connect \(port)"] == "done")
    #expect(answers["connect \(port ^ 1)"] == "EACCES")
    let rest = (deeds.dropFirst(2) + Hole.never).filter { !Hole.refusals.contains(answers[$0] ?? "") }
    #expect(rest == [])
  }

  @Test func `a hole under --allow-net=NAME looks names up and reads no list of users`() throws {
    let hole = try Hole()
    let port = Server.faults.port
    let deeds = [
      "connect \(port)", "connect \(port ^ 1)", "datagrams 2", "read /etc/hosts", "read /etc/passwd",
    ]

    let answers = try hole.answers(
      deeds + Hole.never, ["run", "scripts/feed.lua", "--allow-net=localhost:\(port)"])

    #expect(deeds.map { answers[$0] } == ["done", "EACCES", "done", "done", "EACCES"])
    #expect(Hole.never.filter { !Hole.refusals.contains(answers[$0] ?? "") } == [])
  }

  @Test func `a hole under --allow-read=FOLDER reads there, and neither writes there nor reads elsewhere`()
    throws
  {
    let hole = try Hole()
    let deeds = [
      "read \(hole.granted)/file", "list \(hole.granted)", "write \(hole.granted)/file",
      "make \(hole.granted)/new",
      "read \(hole.elsewhere)/file", "read /etc/passwd", "socket 2",
    ]

    let answers = try hole.answers(
      deeds + Hole.never, ["run", "scripts/feed.lua", "--allow-read=\(hole.granted)"])

    #expect(
      deeds.map { answers[$0] } == ["done", "done", "EACCES", "EACCES", "EACCES", "EACCES", "EPERM"])
    #expect(Hole.never.filter { !Hole.refusals.contains(answers[$0] ?? "") } == [])
  }

  @Test func `a hole under --allow-write=FOLDER writes there and nowhere else`() throws {
    let hole = try Hole()
    let deeds = [
      "write \(hole.granted)/file", "make \(hole.granted)/new", "remove \(hole.granted)/new",
      "link \(hole.granted)/link", "write \(hole.elsewhere)/file", "make \(hole.elsewhere)/new",
      "read /etc/passwd",
    ]

    let answers = try hole.answers(
      deeds + Hole.never, ["run", "scripts/feed.lua", "--allow-write=\(hole.granted)"])

    #expect(
      deeds.map { answers[$0] } == ["done", "done", "done", "EPERM", "EACCES", "EACCES", "EACCES"])
    #expect(Hole.never.filter { !Hole.refusals.contains(answers[$0] ?? "") } == [])
  }

  @Test func `a hole under --allow-all starts no program and looks into no process`() throws {
    let answers = try Hole().answers(Hole.never, ["run", "scripts/feed.lua", "-A"])

    let possible = Hole.never.filter { !Hole.refusals.contains(answers[$0] ?? "") }
    #expect(possible == [])
  }

  @Test func `a hole beside an output writes neither that file nor anything around it`() throws {
    let hole = try Hole()
    try hole.scratch.write("granted/out.ndjson", "old\n")
    let deeds = [
      "write \(hole.granted)/out.ndjson", "make \(hole.granted)/new", "write \(hole.granted)/file",
      "write \(hole.granted)/out.ndjson.partial", "remove \(hole.granted)/out.ndjson",
    ]

    let answers = try hole.answers(deeds, ["run", "scripts/feed.lua", "-o", "granted/out.ndjson"])

    #expect(deeds.map { answers[$0] } == deeds.map { _ in "EACCES" })
    #expect(try hole.scratch.text("granted/out.ndjson") == "{\"id\":1}\n")
  }
}
