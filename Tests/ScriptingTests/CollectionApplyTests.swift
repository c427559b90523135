import Scripting
import Testing

@Suite struct CollectionApplyTests {
  @Test func `apply finds what goes, comes, moves and looks different`() throws {
    let lines = try printed(
      by: """
        local show = lookahead.json.encode
        local list = lookahead.collection { data = { { { key = 1 }, { key = 2, n = { 1 } }, { key = 3 }, { key = 4 } } }, id = "key" }
        list:apply({ { { key = 4 }, { key = 2, n = { 2 } }, { key = 5 }, { key = 3 } } }, nil, function(finished)
          print(finished, list.visible[1][1].key)
        end)
        local changes = list:lastChangeSet()
        print(show(changes.deletedItems), show(changes.insertedItems), show(changes.movedItems))
        print(list.pending[1][2].n[1], #list.data[1])
        """)

    #expect(
      lines == [
        "[[1,2],[1,1]]\t[[1,2],[1,3]]\t" + #"[{"from":[1,4],"to":[1,1]}]"#, "2\t4", "true\t4",
      ])
  }

  @Test(arguments: [
    ("real", "[] [] [{\"from\":[1,3],\"to\":[1,1]}] [[1,1]]"),
    ("split", "[[1,3]] [[1,1]] [] []"),
  ])
  func `an item that moves and looks different is a move and an update`(_ moves: String, _ answer: String)
    throws
  {
    let lines = try printed(
      by: """
        local show = lookahead.json.encode
        local list = lookahead.collection { data = { { { id = 1 }, { id = 2 }, { id = 3, n = 1 } } }, moves = "\(moves)" }
        list:apply { { { id = 3, n = 2 }, { id = 1 }, { id = 2 } } }
        local changes = list:lastChangeSet()
        print(show(changes.deletedItems) .. " " .. show(changes.insertedItems) .. " " .. show(changes.movedItems)
          .. " " .. show(changes.updatedItems))
        list:wait()
        print(show(list.visible), changes.itemMaps[1]:new(3))
        """)

    let map = moves == "real" ? "1" : "nil"
    #expect(lines == [answer, #"[[{"id":3,"n":2},{"id":1},{"id":2}]]"# + "\t" + map])
  }

  @Test func `what is the same costs no change, however it is told`() throws {
    let lines = try printed(
      by: """
        local list = lookahead.collection { data = { { { id = 1, tags = { "x" } } }, { 7, "t" } } }
        list:apply { { { id = 1, tags = { "x" } } }, { 7.0, "t" } }
        local changes = list:lastChangeSet()
        print(#changes.deletedItems, #changes.insertedItems, #changes.movedItems)
        list:apply({ { { id = 1, tags = { "x" } } }, { 8, "t" } }, { id = function(item) return type(item) end })
        changes = list:lastChangeSet()
        print(#changes.deletedItems, #changes.insertedItems, #changes.movedItems, list.pending[2][1])
        """)

    #expect(lines == ["0\t0\t0", "1\t1\t0\t8"])
  }

  @Test func `sections are the same by their ids where all have one, else by their places`() throws {
    let lines = try printed(
      by: """
        local show = lookahead.json.encode
        local list = lookahead.collection { data = { { id = "x", 1 }, { id = "y", 2 } } }
        list:apply { { id = "y", 2 }, { id = "x", 1 } }
        local changes = list:lastChangeSet()
        print(show(changes.movedSections), show(changes.movedItems))
        list:apply { { 1 }, { 2 } }
        changes = list:lastChangeSet()
        print(show(changes.movedSections), #changes.movedItems, show(list.pending))
        """)

    #expect(lines == [#"[{"from":1,"to":2}]"# + "\t[]", "[]\t2\t[[1],[2]]"])
  }

  @Test func `an apply that fails leaves data and items as they were`() throws {
    let lines = try printed(
      by: """
        local show = lookahead.json.encode
        local list = lookahead.collection { data = { { 1 } } }
        print(pcall(list.apply, list, { { 2, {} } }))
        print(pcall(list.apply, list, { { 2 }, 3 }))
        print(pcall(list.apply, list, { { 1 } }, { id = function() error("no id") end }))
        print(show(list.pending), show(list.data), list:lastChangeSet())
        list:apply { { 2 } }
        print(show(list.pending), show(list.data))
        """)

    #expect(
      lines == [
        "false\tfeed.lua:3: collection:apply: item { 1, 2 } has no usable 'id' (expected a string or an integer): "
          + "name the right field with id = \"…\", or give a function",
        "false\tfeed.lua:4: collection:apply: section 2 of the data: expected a list of items, got 3",
        "false\tfeed.lua:5: no id", "[[1]]\t[[1]]\tnil", "[[2]]\t[[2]]",
      ])
  }

  /// Random data are applied, and random edits made by hand; what is pending must be the data, what is visible
  /// what was pending, and the parts of the last change set must lead there in their order.
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `random changes are followed`(_ seed: UInt64) throws {
    let run = try ScriptRun(
      """
      local function copy(sections)
        local result = {}
        for s, items in ipairs(sections) do result[s] = table.move(items, 1, #items, 1, {}) end
        return result
      end
      local function same(a, b) return lookahead.json.encode(a) == lookahead.json.encode(b) end
      local function replay(old, changes, new)
        local sections = copy(old)
        for _, path in ipairs(changes.deletedItems) do table.remove(sections[path[1]], path[2]) end
        for _, s in ipairs(changes.deletedSections) do table.remove(sections, s) end
        for _, s in ipairs(changes.insertedSections) do table.insert(sections, s, copy(new)[s]) end
        for _, path in ipairs(changes.insertedItems) do
          table.insert(sections[path[1]], path[2], new[path[1]][path[2]])
        end
        return sections
      end
      local function random(sectionCount)
        local data, ids = {}, {}
        for id = 1, 12 do ids[id] = id end
        for s = 1, sectionCount do
          data[s] = {}
          for _ = 1, math.random(0, 4) do table.insert(data[s], table.remove(ids, math.random(#ids))) end
        end
        return data
      end
      local list = lookahead.collection { data = random(3), moves = "split" }
      for round = 1, 60 do
        local old, new = copy(list.pending), random(math.random(1, 3))
        list:apply(new)
        assert(same(list.pending, new), "apply, round " .. round)
        assert(same(replay(old, list:lastChangeSet(), new), new), "replay, round " .. round)
        if math.random() < 0.5 then
          list:wait()
          assert(same(list.visible, new), "visible, round " .. round)
        end
        local data, before = list.data, copy(list.pending)
        list:performBatchUpdates(function(updates)
          local s = math.random(#data)
          if #data[s] > 0 then
            local gone = math.random(#data[s])
            updates:deleteItems { { s, gone } }
            table.remove(data[s], gone)
          end
          local place = math.random(#data[s] + 1)
          table.insert(data[s], place, 100 + round)
          updates:insertItems { { s, place } }
        end)
        assert(same(list.pending, data), "batch, round " .. round)
        assert(same(replay(before, list:lastChangeSet(), data), data), "batch replay, round " .. round)
      end
      print("done")
      """
    ) { $0.seed = seed }

    #expect(run.outcome == ["done"], "seed \(seed)")
  }
}
