-- The objects of an S3 bucket: requests signed by AWS Signature Version 4, and lists in XML.
-- Run: lookahead run scripts/sources/s3.lua --param bucket=B --param id=ID --secret key=@FILE --allow-net

local parameters = lookahead.parameters {
  base = { default = "https://s3.amazonaws.com", help = "where S3 is" },
  bucket = { required = true, help = "the name of the bucket" },
  region = "us-east-1",
  id = { required = true, help = "the id of the access key", partition = false },
  key = { required = true, secret = true, help = "the secret access key" },
}
local hash = lookahead.hash
local at = lookahead.url.parse(parameters.base)
local host = at.host .. (at.port and ":" .. at.port or "")
local objects = lookahead.source { name = "objects", id = "key", pageSize = 1000 }

local function authorization(query, time, body)
  local names = "host;x-amz-content-sha256;x-amz-date"
  local headers = ("host:%s\nx-amz-content-sha256:%s\nx-amz-date:%s\n"):format(host, body, time)
  local request = table.concat({ "GET", "/" .. parameters.bucket, query, headers, names, body }, "\n")
  local scope, key = time:sub(1, 8) .. "/" .. parameters.region .. "/s3/aws4_request", "AWS4" .. parameters.key
  for part in scope:gmatch("[^/]+") do key = hash.hmacSha256(key, part, { raw = true }) end
  local text = table.concat({ "AWS4-HMAC-SHA256", time, scope, hash.sha256(request) }, "\n")
  return ("AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"):format(
    parameters.id, scope, names, hash.hmacSha256(key, text))
end

function objects.fetch(context)
  local after = context.key and "continuation-token=" .. lookahead.url.encode(context.key) .. "&" or ""
  local query = after .. "list-type=2&max-keys=" .. context.size
  local time, body, items = os.date("!%Y%m%dT%H%M%SZ"), hash.sha256(""), {}
  local root = lookahead.xml.decode(lookahead.http.get(parameters.base .. "/" .. parameters.bucket .. "?" .. query, {
    headers = { ["X-Amz-Date"] = time, ["X-Amz-Content-SHA256"] = body,
      Authorization = authorization(query, time, body) },
  }).body)
  for place, element in ipairs(root:all("Contents")) do
    items[place] = { key = element:value("Key"), size = tonumber(element:value("Size")) }
  end
  return { items = items, nextKey = root:value("NextContinuationToken") }
end
return objects
