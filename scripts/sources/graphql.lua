-- The nodes of a connection of GraphQL, as Relay has them: edges, and a pageInfo with the cursor of the next page.
-- Run: lookahead run scripts/sources/graphql.lua --param base=http://127.0.0.1:8000/graphql --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where GraphQL is, as http://127.0.0.1:8000/graphql" },
  connection = { default = "books", help = "the field of the query that is a connection" },
  fields = { default = "id title serial", help = "what is wanted of each node" },
}

local nodes = lookahead.source { name = parameters.connection, pageSize = 100 }

local query = ([[
  query ($size: Int!, $after: String) {
    %s(first: $size, after: $after) { edges { node { %s } } pageInfo { hasNextPage endCursor } }
  }]]):format(parameters.connection, parameters.fields)

function nodes.fetch(context)
  -- A query only reads, so that its POST may be sent again.
  local answer = lookahead.http.post(parameters.base, {
    json = { query = query, variables = { size = context.size, after = context.key } }, retry = true,
  }):json()
  if answer.errors then error(answer.errors[1].message, 0) end
  local connection, items = answer.data[parameters.connection], {}
  for place, edge in ipairs(connection.edges) do items[place] = edge.node end
  local info = connection.pageInfo
  return { items = items, nextKey = info.hasNextPage and info.endCursor or nil }
end

return nodes
