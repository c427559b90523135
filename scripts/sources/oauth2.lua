-- A list behind OAuth 2: the client logs in, and a token that ends is asked for again, once for all requests.
-- Run: lookahead run scripts/sources/oauth2.lua --param base=http://127.0.0.1:8000 --secret secret=@FILE --allow-net

local parameters = lookahead.parameters {
  base = { required = true, help = "where the list and its login are, as http://127.0.0.1:8000" },
  client = { default = "reader", help = "the name of the client" },
  secret = { required = true, secret = true, help = "the secret of the client" },
}

local login = lookahead.oauth2 {
  tokenURL = parameters.base .. "/token", clientID = parameters.client, clientSecret = parameters.secret,
  scope = "items",
}

local items = lookahead.source { name = "items", keys = "page", pageSize = 50, maxInFlight = 8 }

function items.fetch(context)
  local response = lookahead.http.get(parameters.base .. "/items",
    { auth = login, query = { page = context.key, size = context.size } })
  local page = response:json()
  return { items = page.items, total = page.total }
end

return items
