import Testing

/// Pages that a policy gives up, or that fail, after items of them were handed over.
@Suite(.waiting) struct WithdrawnPageTests {
  @Test(arguments: ["page", "offset", "cursor"])
  func `what was handed over counts where the page comes again`(keys: String) throws {
    let scratch = try Scratch(
      script: """
        local isDone = false
        local source = lookahead.source {
          name = "s", keys = "\(keys)", pageSize = 2, maxInFlight = 1,
          shouldBatchFetch = function(view)
            if view.isFetching and view.itemCount == 4 and not isDone then isDone = true return { cancel = true } end
            return view.remainingItems < 1
          end,
        }
        function source.fetch(context)
          local page = "\(keys)" == "offset" and context.key // 2 + 1 or context.key or 1
          lookahead.sleep(0.005)
          context:append { { id = page * 2 - 1 }, { id = page * 2 } }
          lookahead.sleep(0.005)
          context.total = 10
          if "\(keys)" == "cursor" then context.nextKey = page + 1 end
          context:complete(page < 5)
        end
        return source
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-q", "--summary", "s.json")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.split(separator: "\n").count == 10, "\(result.output)")
    #expect(try scratch.text("s.json").contains("\"missing\":0"))
  }

  @Test func `pages that landed are given up with those in flight, and are no loop when they come again`()
    throws
  {
    let scratch = try Scratch(
      script: """
        local isDone = false
        local source = lookahead.source {
          name = "s", pageSize = 2,
          shouldBatchFetch = function(view)
            if view.isFetching and not isDone then isDone = true return { cancel = true } end
            return true
          end,
        }
        function source.fetch(context)
          local page = context.key or 1
          return { items = { { id = page * 2 - 1 }, { id = page * 2 } }, nextKey = page < 6 and page + 1 or nil }
        end
        return source
        """)

    let result = try scratch.lookahead("run", "feed.lua", "-q")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.split(separator: "\n").count == 12, "\(result.output)")
  }

  /// Item 1 comes with each page, or with each attempt, and is another one the last time if there is a file `changes`.
  @Test(arguments: ["0", "0.02"], ["", "touch fails;", "touch changes;", "touch fails changes;"])
  func `an item that comes again is written again only if it has changed, however fast its reader is`(
    wait: String, files: String
  ) throws {
    let changes = files.contains("changes")
    let scratch = try Scratch(
      script: """
        local changes, fails = lookahead.fs.exists("changes"), lookahead.fs.exists("fails")
        local source = lookahead.source {
          name = "s", keys = "page", pageSize = 2, merge = "replace", maxInFlight = 1,
          backoff = { base = 0.001, cap = 0.001 },
        }
        function source.fetch(context)
          local isLast = context.key == 3 and (not fails or context.attempt == 3)
          context:append { { id = 1, version = changes and isLast and 1 or 0 } }
          lookahead.sleep(\(wait))
          if fails and context.key == 3 and not isLast then return context:fail("flaky", { retryAfter = 0.001 }) end
          context:append { { id = 10 + context.key } }
          context:complete(context.key < 3)
        end
        return source
        """)

    let result = try scratch.shell(
      "\(files) lookahead run feed.lua -A -q; lookahead run feed.lua -A -q --changes | grep -c update"
    )

    let ids = result.lines.dropLast().map { $0.prefix { $0 != "," && $0 != "}" } }
    #expect(
      ids.sorted() == (changes ? ["{\"id\":1"] : []) + [
        "{\"id\":1", "{\"id\":11", "{\"id\":12", "{\"id\":13",
      ])
    #expect(result.lines.last == (changes ? "1" : "0"), "\(result.output) \(result.errors)")
  }
}
