-- Requests to another origin than the one they are meant for.
local host = ...

local function origin(url) return url:match("^%a[%w+.-]*://[^/?#]*") or url end

-- Origins that were asked without credentials: each is said once.
local strange = {}

--- What may go to another origin than the one it is meant for: no body, and no header that may be a credential.
function host.harmless(headers, hasBody, given, url)
  local from, to = origin(host.withoutLogin(given.origin)), origin(host.withoutLogin(url))
  if hasBody then
    error(host.failure {
      code = "http",
      message = ("an answer of %s leads to %s, and the body of the request is not meant for that: send it there with origin = \"%s\", "
        .. "if it is"):format(from, to, to),
    }, 0)
  end
  local kept = {}
  for _, header in ipairs(headers) do
    if not host.mayBeCredential(header[1]) then kept[#kept + 1] = header end
  end
  if (#kept < #headers or given.auth) and not strange[from .. " " .. to] then
    strange[from .. " " .. to] = true
    host.log("warn", ("an answer of %s leads to %s: that is asked without the headers and the login that are meant for %s"):format(
      from, to, from), nil)
  end
  return kept
end
