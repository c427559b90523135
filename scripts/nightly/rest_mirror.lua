-- A nightly copy of a list that says nothing of what was deleted, as Django REST framework has them: it is mirrored.
-- Run: lookahead run scripts/nightly/rest_mirror.lua -e list=http://127.0.0.1:8000/articles/ --allow-net -o a.db

local parameters = lookahead.parameters {
  list = { required = true, help = "the address of the list, as http://127.0.0.1:8000/articles/" },
}

local rows = lookahead.source { name = "rows", keys = "page", pageSize = 100, write = "mirror" }

function rows.fetch(context)
  local query = { page = context.key, page_size = context.size }
  local page = lookahead.http.get(parameters.list, { query = query }):json()
  return { items = page.results, total = page.count }
end

return rows
