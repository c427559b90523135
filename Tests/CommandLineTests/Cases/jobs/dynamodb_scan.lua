-- A DynamoDB table by Scan: the next key is the last key that was evaluated, an object, kept as JSON.
-- Run: lookahead run dynamodb_scan.lua --param server=http://127.0.0.1:5000 --param table=T --allow-net
local parameters = lookahead.parameters { server = { required = true }, table = { required = true } }

local items = lookahead.source { name = "items", id = "id", pageSize = 100 }

function items.fetch(context)
  local scan = { TableName = parameters.table, Limit = context.size }
  if context.key then
    scan.ExclusiveStartKey = lookahead.json.decode(context.key)
  end
  local page = lookahead.http.post(parameters.server, { body = lookahead.json.encode(scan), headers = {
    ["Content-Type"] = "application/x-amz-json-1.0", ["X-Amz-Target"] = "DynamoDB_20120810.Scan",
    Authorization = "AWS4-HMAC-SHA256 Credential=tests/20260101/us-east-1/dynamodb/aws4_request",
  } }):json()
  local readings = {}
  for place, item in ipairs(page.Items) do
    readings[place] = { id = item.id.S, celsius = tonumber(item.celsius.N) }
  end
  local last = page.LastEvaluatedKey
  return { items = readings, nextKey = last and lookahead.json.encode(last) }
end

return items
