#!/usr/bin/env python3
"""Serves moto: DynamoDB with the table readings of 730 items, S3 with 2,150 objects in the bucket archive.

Scan pages by ExclusiveStartKey and LastEvaluatedKey, ListObjectsV2 by continuation-token and NextContinuationToken, 1,000
keys to a page at most. The objects of the bucket nested are 50 folders of 7 objects each.
"""

import logging
import os
import threading

os.environ |= {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests", "NO_PROXY": "127.0.0.1"}

import boto3  # noqa: E402
from moto.core import DEFAULT_ACCOUNT_ID  # noqa: E402
from moto.s3.models import s3_backends  # noqa: E402
from moto.server import ThreadedMotoServer  # noqa: E402
from running import announce, arguments  # noqa: E402

READINGS, OBJECTS, FOLDERS, NESTED = 730, 2150, 50, 7


def fill(address):
    """Puts everything in."""
    at = {"endpoint_url": address, "region_name": "us-east-1"}
    dynamo = boto3.client("dynamodb", **at)
    dynamo.create_table(
        TableName="readings", BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}])
    numbers = range(1, READINGS + 1)
    items = [{"id": {"S": f"r{n:04}"}, "celsius": {"N": str(n * 37 % 400 / 10)}} for n in numbers]
    for start in range(0, READINGS, 25):
        puts = [{"PutRequest": {"Item": item}} for item in items[start : start + 25]]
        dynamo.batch_write_item(RequestItems={"readings": puts})
    s3 = boto3.client("s3", **at)
    for bucket in ("archive", "nested"):
        s3.create_bucket(Bucket=bucket)
    # A request for each object would take half a minute.
    objects = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
    for number in range(1, OBJECTS + 1):
        objects.put_object("archive", f"2026/a & b/{number:05}.json", b"{}")
    for folder in range(1, FOLDERS + 1):
        for number in range(1, NESTED + 1):
            objects.put_object("nested", f"folder-{folder:02}/{number}.json", b"{}")


if __name__ == "__main__":
    given = arguments(__doc__)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=given.port, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    fill(f"http://{host}:{port}")
    announce(given, port)
    threading.Event().wait()
