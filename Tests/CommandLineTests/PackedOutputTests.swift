import Testing

/// Texts packed by gzip and Zstandard, read by their own programs.
@Suite(.waiting) struct PackedOutputTests {
  private static let script = """
    local s = lookahead.source { name = "s", keys = "page", pageSize = 50 }
    function s.fetch(c)
      local items = {}
      for n = 1, 50 do
        items[n] = { id = (c.key - 1) * 50 + n, name = "item " .. n, late = c.key > 20 and n or nil }
      end
      return { items = items, isLast = c.key == 40 }
    end
    return s
    """

  @Test(arguments: ["ndjson", "json", "csv"], ["gz", "zst"])
  func `a packed text is the text`(format: String, ending: String) throws {
    let scratch = try Scratch(script: Self.script)
    let unpack = ending == "gz" ? "gzip -dc" : "zstd -dcq"

    let result = try scratch.shell(
      "lookahead run feed.lua -o a.\(format) -q && lookahead run feed.lua -o a.\(format).\(ending) -q "
        + "&& \(unpack) a.\(format).\(ending) | cmp - a.\(format) "
        + "&& test $(stat -c %s a.\(format).\(ending)) -lt $(($(stat -c %s a.\(format)) / 3))")

    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
  }

  @Test func `a bit that is not as it was is found, also where other files have no checksum`() throws {
    let scratch = try Scratch(script: Self.script)

    let result = try scratch.shell(
      """
      lookahead run feed.lua -o a.ndjson.zst -q && zstd -qt a.ndjson.zst && zstd -lv a.ndjson.zst 2>/dev/null | grep -c XXH64
      python3 - <<'END'
      import subprocess
      whole, missed = open("a.ndjson.zst", "rb").read(), 0
      for place in range(12, len(whole), max(1, len(whole) // 50)):
          flipped = bytearray(whole)
          flipped[place] ^= 1
          open("b.zst", "wb").write(flipped)
          missed += subprocess.run(["zstd", "-qt", "b.zst"], capture_output=True).returncode == 0
      print(missed)
      END
      """)

    #expect(result.output == "1\n0\n", "\(result.errors)")
  }

  @Test func `what is added is a member of its own, and all of it is read`() throws {
    let scratch = try Scratch(script: Self.script)

    let result = try scratch.shell(
      "for n in 1 2 3; do lookahead run feed.lua -o a.csv.gz -q --append || exit 1; done; "
        + "gzip -t a.csv.gz && gzip -dc a.csv.gz | wc -l")

    #expect(result.output == "6001\n", "\(result.errors)")
  }

  @Test(arguments: [("gzip", "gz", "gzip -dc"), ("zstd", "zst", "zstd -dcq")])
  func `folders and standard output are packed on demand`(name: String, ending: String, unpack: String) throws
  {
    let scratch = try Scratch(script: Self.script)

    let result = try scratch.shell(
      "lookahead run feed.lua -o all/ -q --compress \(name) && \(unpack) all/s.ndjson.\(ending) | wc -l; "
        + "lookahead run feed.lua -q --compress \(name) | \(unpack) | wc -l")

    #expect(result.output == "2000\n2000\n", "\(result.errors)")
  }

  @Test(arguments: ["gz", "zst"])
  func `a source without items has an empty text, which is whole`(ending: String) throws {
    let scratch = try Scratch(
      script:
        "local s = lookahead.source { name = \"s\" }\nfunction s.fetch() return { items = {} } end\nreturn s")
    let unpack = ending == "gz" ? "gzip -dc" : "zstd -dcq"

    let result = try scratch.shell(
      "lookahead run feed.lua -o a.ndjson.\(ending) -q && \(unpack) a.ndjson.\(ending) | wc -c")

    #expect(result.output == "0\n", "\(result.errors)")
  }

  @Test func `a kept up to date text is whole after each delivery`() throws {
    let scratch = try Scratch(script: Self.script)

    let result = try scratch.shell(
      "lookahead run feed.lua -o a.json.gz -q --refresh 1ms --refreshes 3 && gzip -dc a.json.gz | tail -1")

    #expect(result.output == "]\n", "\(result.errors)")
  }

  @Test(arguments: ["gz", "zst"])
  func `lines and rows of packed files are read, of all members, and what is cut or damaged is no end`(
    ending: String
  ) throws {
    let scratch = try Scratch(
      script: """
        local n, sum = 0, 0
        for line in lookahead.fs.lines("a.csv.ENDING") do n = n + 1 end
        for row in lookahead.csv.rows("a.csv.ENDING") do sum = sum + row.id end
        print(n, sum)
        """.replacing("ENDING", with: ending))
    let pack = ending == "gz" ? "gzip -c" : "zstd -cq"
    let text = "{ echo id; seq 1 40000; }"

    let whole = try scratch.shell(
      "{ \(text) | \(pack); seq 1 5 | \(pack); } > a.csv.\(ending); lookahead run feed.lua --allow-read=.")
    let cut = try scratch.shell(
      "\(text) | \(pack) | head -c -9 > a.csv.\(ending); lookahead run feed.lua --allow-read=.")
    let damaged = try scratch.shell("echo id > a.csv.\(ending); lookahead run feed.lua --allow-read=.")

    #expect(whole.errors.contains("40006\t800020015\n"), "\(whole.output)\(whole.errors)")
    #expect(cut.exitCode != 0 && cut.errors.contains("ends in the middle"), "\(cut.output)\(cut.errors)")
    #expect(
      damaged.exitCode != 0 && damaged.errors.contains("not packed as its name says"), "\(damaged.errors)")
  }

  @Test func `a name and --compress have to agree`() throws {
    let scratch = try Scratch(script: Self.script)

    let plain = try scratch.lookahead("run", "feed.lua", "-o", "a.csv", "--compress", "gzip")
    let other = try scratch.lookahead("run", "feed.lua", "-o", "a.csv.gz", "--compress", "zstd")

    #expect([plain.exitCode, other.exitCode] == [64, 64])
    #expect(plain.errors.contains("call the file a.csv.gz"), "\(plain.errors)")
    #expect(other.errors.contains("call the file a.csv.zst"), "\(other.errors)")
    #expect(try scratch.names == ["feed.lua"])
  }

  @Test(arguments: ["a.ndjson", "a.ndjson.gz"])
  func `--append adds to nothing that a run did not leave to be added to`(name: String) throws {
    let scratch = try Scratch(script: Self.script)

    let result = try scratch.shell("echo mine > \(name); lookahead run feed.lua -o \(name) --append")

    #expect(result.exitCode != 0)
    #expect(result.errors.contains("--fresh writes it anew"), "\(result.errors)")
    #expect(try scratch.text(name) == "mine\n")
  }
}
