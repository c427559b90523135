-- The items of a DynamoDB table by Scan: a signed POST that only reads, so that it is sent again when it fails.
-- Run: lookahead run scripts/sources/dynamodb.lua --param table=T --param id=ID --secret key=@FILE --allow-net

local parameters = lookahead.parameters {
  region = "us-east-1",
  base = { default = "", help = "where DynamoDB is; by default the region's" },
  table = { required = true, help = "the name of the table" },
  id = { required = true, help = "the id of the access key", partition = false },
  key = { required = true, secret = true, help = "the secret access key" },
}
local hash, json, region = lookahead.hash, lookahead.json, parameters.region
local base = parameters.base ~= "" and parameters.base or "https://dynamodb." .. region .. ".amazonaws.com"
local at = lookahead.url.parse(base)
local items = lookahead.source { name = parameters.table, pageSize = 100 }
local host, target = at.host .. (at.port and ":" .. at.port or ""), "DynamoDB_20120810.Scan"

local function authorization(body, time)
  local names, headers = "host;x-amz-date;x-amz-target", "host:%s\nx-amz-date:%s\nx-amz-target:%s\n"
  local request = table.concat({ "POST", "/", "", headers:format(host, time, target), names, hash.sha256(body) }, "\n")
  local scope, key = time:sub(1, 8) .. "/" .. region .. "/dynamodb/aws4_request", "AWS4" .. parameters.key
  for part in scope:gmatch("[^/]+") do key = hash.hmacSha256(key, part, { raw = true }) end
  local text = table.concat({ "AWS4-HMAC-SHA256", time, scope, hash.sha256(request) }, "\n")
  return ("AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"):format(
    parameters.id, scope, names, hash.hmacSha256(key, text))
end

function items.fetch(context)
  local after = context.key and json.decode(context.key) or nil
  local body = json.encode { TableName = parameters.table, Limit = context.size, ExclusiveStartKey = after }
  local time = os.date("!%Y%m%dT%H%M%SZ")
  local page = lookahead.http.post(base .. "/", { body = body, retry = true, headers = {
    ["Content-Type"] = "application/x-amz-json-1.0", ["X-Amz-Target"] = target, ["X-Amz-Date"] = time,
    Authorization = authorization(body, time),
  } }):json()
  for _, item in ipairs(page.Items) do
    for name, value in pairs(item) do item[name] = value.S or tonumber(value.N) or value end
  end
  return { items = page.Items, nextKey = page.LastEvaluatedKey and json.encode(page.LastEvaluatedKey) }
end
return items
