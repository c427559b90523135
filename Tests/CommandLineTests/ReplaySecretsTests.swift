import Testing

@Suite(.waiting) struct ReplaySecretsTests {
  private static let script = """
    local p = lookahead.parameters {
      base = { required = true, help = "where the server is" },
      token = { required = true, secret = true, help = "for the header" },
      pin = { default = "none", secret = true, help = "another one" },
    }
    local items = lookahead.source { name = "items", keys = "page", pageSize = 100 }
    function items.fetch(context)
      local reply = lookahead.http.get(p.base .. "/items", {
        query = { page = context.key, per_page = context.size, pin = p.pin, key = "place" .. context.key },
        headers = { Authorization = "Bearer " .. p.token, ["X-Note"] = p.token },
      })
      local page = reply:json()
      return { items = page.items, total = page.total }
    end
    return items
    """

  @Test(arguments: [["--secret", "token=a b/c+t0k3n"], ["--param", "token=a b/c+t0k3n"]])
  func `secrets are not in the file, and its replay needs none`(given: [String]) throws {
    let base = Server.faults.base(run: "secrets", "items=300")
      .replacing("http://", with: "http://ann:passw0rd@")
    let scratch = try Scratch(script: Self.script)
    try scratch.write("more", "pin=p1np1n\n")
    let arguments = [
      "run", "feed.lua", "--record", "r.jsonl", "--param", "base=\(base)", "--params-file", "more",
      "--allow-net",
    ]
    let live = try Command.lookahead(arguments + given).within(scratch).run()

    let recording = try scratch.text("r.jsonl")
    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl")

    #expect(live.exitCode == 0, "\(live.errors)")
    for part in ["t0k3n", "passw0rd", "p1np1n", "Bearer"] { #expect(!recording.contains(part)) }
    #expect(recording.contains("[secret]"))
    #expect(replay.exitCode == 0, "\(replay.errors)")
    #expect(replay.output == live.output && live.lines.count == 300)
  }

  @Test func `a secret of the environment is not in the file`() throws {
    let script = """
      local token = lookahead.env.get("SERVICE_TOKEN")
      lookahead.emit({ id = 1, length = #token > 0 })
      lookahead.try(lookahead.http.get, "http://127.0.0.1:1/" .. token)
      """
    let scratch = try Scratch(script: script)
    var command = Command.lookahead(
      ["run", "feed.lua", "--record", "r.jsonl", "--allow-env", "--allow-net", "--retries", "0"])
    command.environment = ["SERVICE_TOKEN": "qwertz12345"]
    let live = try command.within(scratch).run()

    let replay = try scratch.lookahead("run", "feed.lua", "--replay", "r.jsonl")

    #expect(live.exitCode == 0 && replay.exitCode == 0, "\(live.errors)\(replay.errors)")
    #expect(!(try scratch.text("r.jsonl")).contains("qwertz"))
    #expect(replay.output == live.output)
  }
}
