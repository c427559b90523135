/// One line: the handler `detail`, which takes a second, counts its calls in `calls` and answers with a table.
let countedDetails = """
  local calls, order = 0, {} \
  local function detail(id, context) \
    calls = calls + 1 order[#order + 1] = tostring(id) \
    lookahead.sleep(1) \
    return { id = id, number = calls } \
  end\n
  """
