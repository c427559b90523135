#!/usr/bin/env python3
"""Serves Kinto, with everything in memory, and 3,000 records in /v1/buckets/public/collections/readings/records.

How it pages (seen with Kinto 26): newest first, 100 records to a page here, as paginate_by says; the header Next-Page has
the whole address of the next page with its _token, and is not there on the last; Total-Records is in the answer to HEAD.
"""

import json

from kinto import main
from running import arguments, serve_wsgi
from webob import Request

RECORDS = 3000
SETTINGS = {
    "kinto.storage_backend": "kinto.core.storage.memory",
    "kinto.permission_backend": "kinto.core.permission.memory",
    "kinto.cache_backend": "kinto.core.cache.memory",
    "kinto.userid_hmac_secret": "tests",
    "kinto.paginate_by": "100",
    "kinto.bucket_create_principals": "system.Everyone",
    "multiauth.policies": "basicauth",
}


def put(application, path, body):
    request = Request.blank("/v1" + path, method="PUT", body=json.dumps(body).encode(), authorization=("Basic", "dGVzdHM6"))
    request.content_type = "application/json"
    response = request.get_response(application)
    if response.status_int >= 300:
        raise SystemExit(f"{path}: {response.status} {response.text}")


def application():
    made = main({}, **SETTINGS)
    put(made, "/buckets/public", {"permissions": {"read": ["system.Everyone"]}})
    put(made, "/buckets/public/collections/readings", {})
    storage = made.registry.storage
    for number in range(1, RECORDS + 1):
        reading = {"id": f"reading-{number:04}", "number": number, "celsius": number * 37 % 400 / 10}
        storage.create("record", "/buckets/public/collections/readings", reading)
    return made


if __name__ == "__main__":
    given = arguments(__doc__)
    serve_wsgi(given, application())
