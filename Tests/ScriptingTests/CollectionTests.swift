import Testing

@Suite struct CollectionTests {
  /// Gives scripts `show`, which writes a value as JSON.
  private func shown(_ script: String) throws -> [String] {
    try printed(by: "local show = lookahead.json.encode\n" + script)
  }

  @Test func `the example of the script API does what it says`() throws {
    let lines = try shown(
      """
      local data = { { "a", "b" }, { "c" } }
      local list = lookahead.collection { data = data }
      list:performBatchUpdates(function(updates)
        table.remove(data[1], 1)
        updates:deleteItems { { 1, 1 } }
        table.insert(data[2], 1, "d")
        updates:insertItems { { 2, 1 } }
      end, function(finished) print(finished, show(list.visible)) end)
      print(show(list.pending), show(list.visible))
      list:wait()
      local changes = list:lastChangeSet()
      print(show(changes.deletedItems), show(changes.insertedItems), changes.isReload)
      print(changes.sectionMap:new(2), changes.itemMaps[1]:new(1), changes.itemMaps[1]:new(2), changes.itemMaps[2]:old(2))
      """)

    #expect(
      lines == [
        #"[["b"],["d","c"]]"# + "\t" + #"[["a","b"],["c"]]"#,
        "true\t" + #"[["b"],["d","c"]]"#,
        "[[1,1]]\t[[2,1]]\tfalse",
        "2\tnil\t1\t1",
      ])
  }

  @Test func `the first load is visible at once`() throws {
    let lines = try shown(
      """
      local list = lookahead.collection { data = { { 1 }, {} } }
      print(show(list.pending), show(list.visible), list:lastChangeSet())
      list:wait()
      print(lookahead.now())
      """)

    #expect(lines == ["[[1],{}]\t[[1],{}]\tnil", "0.0"])
  }

  @Test func `a wait is over when what completions have changed is visible too`() throws {
    let lines = try shown(
      """
      local data = { { "a" } }
      local list = lookahead.collection { data = data }
      local function more(item, completion)
        list:performBatchUpdates(function(updates)
          table.insert(data[1], item)
          updates:insertItems { { 1, #data[1] } }
        end, completion)
      end
      more("b", function() more("c", function() more("d") end) end)
      list:wait()
      print(show(list.pending), show(list.visible))
      """)

    #expect(lines == [#"[["a","b","c","d"]]"# + "\t" + #"[["a","b","c","d"]]"#])
  }

  @Test func `every wait of the script lets the reader catch up`() throws {
    let lines = try shown(
      """
      local data = { { 1 } }
      local list = lookahead.collection { data = data }
      data[1][2] = 2
      list:insertItems { { 1, 2 } }
      print(show(list.visible))
      lookahead.sleep(0)
      print(show(list.visible))
      """)

    #expect(lines == ["[[1]]", "[[1,2]]"])
  }

  @Test func `sets become visible one after the other, each with its completion`() throws {
    let lines = try shown(
      """
      local data = { {} }
      local list = lookahead.collection { data = data }
      for number = 1, 3 do
        list:performBatchUpdates(function(updates)
          data[1][number] = number
          updates:insertItems { { 1, number } }
        end, function(finished) print(number, finished, #list.visible[1] >= number) end)
      end
      print(#list.pending[1], #list.visible[1])
      """)

    #expect(lines == ["3\t0", "1\ttrue\ttrue", "2\ttrue\ttrue", "3\ttrue\ttrue"])
  }

  @Test func `nested updates are one change set, and inner completions come first`() throws {
    let lines = try shown(
      """
      local data = { { "a" }, { "b" } }
      local list = lookahead.collection { data = data }
      list:performBatchUpdates(function(updates)
        list:performBatchUpdates(function(inner)
          table.remove(data[1], 1)
          inner:deleteItems { { 1, 1 } }
        end, function() print("inner 1") end)
        list:performBatchUpdates(nil, function() print("inner 2") end)
        table.insert(data[2], "c")
        list:insertItems { { 2, 2 } }
        list:wait()
      end, function() print("outer") end)
      local changes = list:lastChangeSet()
      print(show(changes.deletedItems), show(changes.insertedItems))
      """)

    #expect(lines == ["[[1,1]]\t[[2,2]]", "inner 1", "inner 2", "outer"])
  }

  @Test func `updates are begun and ended by hand, too`() throws {
    let lines = try shown(
      """
      local data = { { "a", "b", "c" } }
      local list = lookahead.collection { data = data }
      list:beginUpdates()
      table.remove(data[1], 3)
      list:deleteItems { { 1, 3 } }
      list:beginUpdates()
      table.remove(data[1], 1)
      list:deleteItems { { 1, 1 } }
      list:endUpdates(function() print("inner") end)
      print(show(list.pending))
      list:endUpdates(function() print("outer") end)
      print(show(list.pending), show(list:lastChangeSet().deletedItems))
      """)

    #expect(lines == [#"[["a","b","c"]]"#, #"[["b"]]"# + "\t[[1,3],[1,1]]", "inner", "outer"])
  }

  @Test func `a completion may wait, and change the collection`() throws {
    let lines = try shown(
      """
      local data = { { 1 } }
      local list = lookahead.collection { data = data }
      list:performBatchUpdates(nil, function()
        lookahead.sleep(2)
        data[1][2] = 2
        list:insertItems { { 1, 2 } }
        list:wait()
        print(lookahead.now(), show(list.visible))
      end)
      """)

    #expect(lines == ["2.0\t[[1,2]]"])
  }

  @Test func `sections come, go and move with their items`() throws {
    let lines = try shown(
      """
      local data = { { "a" }, { "b" }, { "c" } }
      local list = lookahead.collection { data = data }
      list:performBatchUpdates(function(updates)
        data[1], data[2], data[3] = data[3], { "n" }, data[1]
        updates:deleteSections { 2 }
        updates:insertSections { 2 }
        updates:moveSection(3, 1)
      end)
      local changes = list:lastChangeSet()
      print(show(list.pending), show(changes.deletedSections), show(changes.insertedSections), show(changes.movedSections))
      """)

    #expect(lines == [#"[["c"],["n"],["a"]]"# + "\t[2]\t[2]\t" + #"[{"from":3,"to":1}]"#])
  }

  @Test(arguments: [
    (#""real""#, #"[]"# + "\t[]\t" + #"[{"from":[1,3],"to":[1,1]}]"# + "\t1"),
    (#""split""#, "[[1,3]]\t[[1,1]]\t[]\tnil"),
  ])
  func `a move is a move unless it is split`(_ moves: String, _ answer: String) throws {
    let lines = try shown(
      """
      local data = { { "a", "b", "c" } }
      local list = lookahead.collection { data = data, moves = \(moves) }
      table.insert(data[1], 1, table.remove(data[1], 3))
      list:moveItem({ 1, 3 }, { 1, 1 })
      local changes = list:lastChangeSet()
      print(show(changes.deletedItems), show(changes.insertedItems), show(changes.movedItems), changes.itemMaps[1]:new(3))
      """)

    #expect(lines == [answer])
  }

  @Test func `functions may give the data, and are asked for what is new only`() throws {
    let lines = try shown(
      """
      local words, asked = { "a", "b" }, {}
      local list = lookahead.collection {
        numberOfItems = function(section) return #words end,
        item = function(section, item) asked[#asked + 1] = item return words[item] end,
      }
      words[3] = "c"
      words[1] = "A"
      list:performBatchUpdates(function(updates)
        updates:reloadItems { { 1, 1 } }
        updates:insertItems { { 1, 3 } }
      end)
      print(show(list.pending), show(asked))
      words = { "x" }
      list:reloadData()
      print(show(list.pending), list:lastChangeSet().isReload)
      """)

    #expect(lines == [#"[["A","b","c"]]"# + "\t[1,2,1,3]", #"[["x"]]"# + "\ttrue"])
  }
}
