#!/usr/bin/env python3
"""Serves a list of S3 and a Scan of DynamoDB, and checks each signature against the one that botocore's signer makes.

Pages are found by keys with everything in them that could be encoded wrongly. A request whose signature is another, or that does
not sign its host and all its x-amz-* headers, is answered with 403 and what was expected.
"""

import json
from datetime import datetime, timezone
from unittest import mock
from urllib.parse import parse_qsl, urlsplit
from xml.sax.saxutils import escape

from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from running import arguments, serve_wsgi

SECRET = "wJalr+XUtnFEMI/K7MDENG=bPxRfiCY é"
# Each is the key of a page; the last has no next one.
KEYS = [
    "a b", "a+b", "1/2==", "100%", "100%25", "&x=1&list-type=2", "é ü 日本 🙂", "!*'()~", ";:@$,?#[]", "\"\\<>^`{|}", " ", "=", "end"]


def refusal(environ, body):
    """Why a request is not signed as botocore signs it; None if it is."""
    given = environ.get("HTTP_AUTHORIZATION", "")
    fields = dict(part.strip().split("=", 1) for part in given.removeprefix("AWS4-HMAC-SHA256 ").split(",") if "=" in part)
    sent = {name[5:].replace("_", "-").lower(): value for name, value in environ.items() if name.startswith("HTTP_")}
    sent["content-type"] = environ.get("CONTENT_TYPE", "")
    names = fields.get("SignedHeaders", "").split(";")
    unsigned = [name for name in sent if (name.startswith("x-amz-") or name == "host") and name not in names]
    if unsigned:
        return f"not signed: {unsigned}"
    identity, day, region, service, _ = fields["Credential"].rsplit("/", 4)
    request = AWSRequest(
        method=environ["REQUEST_METHOD"], url=f"http://{sent['host']}{environ['PATH_INFO']}", data=body,
        params=parse_qsl(environ["QUERY_STRING"], keep_blank_values=True), headers={name: sent[name] for name in names})
    signer = {"s3": auth.S3SigV4Auth}.get(service, auth.SigV4Auth)(Credentials(identity, SECRET), service, region)
    now = datetime.strptime(sent["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
    with mock.patch("botocore.auth.get_current_datetime", return_value=now.replace(tzinfo=None), create=True):
        request.context["timestamp"] = sent["x-amz-date"]
        if hasattr(signer, "_modify_request_before_signing"):
            # What it would add to the request is there already, with the time of the request.
            signer._modify_request_before_signing = lambda request: None
        canonical = signer.canonical_request(request)
        signature = signer.signature(signer.string_to_sign(request, canonical), request)
    return None if signature == fields["Signature"] else f"expected {signature} of\n{canonical}"


def answer(environ, start_response):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    reason = refusal(environ, body)
    if reason:
        start_response("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
        return [reason.encode()]
    if environ["REQUEST_METHOD"] == "POST":
        key = json.loads(body).get("ExclusiveStartKey")
        place = KEYS.index(key["id"]["S"]) + 1 if key else 0
        page = {"Items": [{"id": {"S": KEYS[place]}}]}
        if place < len(KEYS) - 1:
            page["LastEvaluatedKey"] = {"id": {"S": KEYS[place]}}
        kind, text = "application/x-amz-json-1.0", json.dumps(page)
    else:
        token = dict(parse_qsl(environ["QUERY_STRING"], keep_blank_values=True)).get("continuation-token")
        place = KEYS.index(token) + 1 if token is not None else 0
        after = f"<NextContinuationToken>{escape(KEYS[place])}</NextContinuationToken>" if place < len(KEYS) - 1 else ""
        kind = "application/xml"
        text = f"<ListBucketResult>{after}<Contents><Key>{escape(KEYS[place])}</Key><Size>1</Size></Contents></ListBucketResult>"
    start_response("200 OK", [("Content-Type", kind)])
    return [text.encode()]


if __name__ == "__main__":
    serve_wsgi(arguments(__doc__), answer)
