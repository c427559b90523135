#!/usr/bin/env python3
"""A collector for OpenTelemetry that reads what it gets with the official definitions, and says what it was.

    otlp_receiver.py FILE [--status N] [--hang]

Prints its port. FILE gets a line of JSON for each payload: its path, the names of its spans or metrics, and what is wrong with it.
Ends with its standard input.
"""

import base64
import http.server
import json
import os
import sys
import threading

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

status = int(sys.argv[sys.argv.index("--status") + 1]) if "--status" in sys.argv else 200
out = open(sys.argv[1], "a", buffering=1)


def spans(body):
    """Ids are hexadecimal in OTLP/JSON, where the mapping of protocol buffers has base64: read as such they come back as they were."""
    found = [span for resource in json_format.ParseDict(body, ExportTraceServiceRequest()).resource_spans
             for scope in resource.scope_spans for span in scope.spans]
    ids = {base64.b64encode(span.span_id).decode() for span in found}
    roots = {base64.b64encode(span.parent_span_id).decode() for span in found} - {""}
    bad = [span.name for span in found if span.end_time_unix_nano < span.start_time_unix_nano or span.start_time_unix_nano < 10**18]
    traces = {base64.b64encode(span.trace_id).decode() for span in found}
    return {"names": sorted(span.name for span in found), "wrong": bad + [i for i in ids if len(i) != 16], "traces": sorted(traces),
            "parents": sorted(roots), "text": json.dumps(body)}


def metrics(body):
    found = [metric for resource in json_format.ParseDict(body, ExportMetricsServiceRequest()).resource_metrics
             for scope in resource.scope_metrics for metric in scope.metrics]
    empty = [metric.name for metric in found if not getattr(metric, metric.WhichOneof("data")).data_points]
    return {"names": sorted(metric.name for metric in found), "wrong": empty}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "--hang" in sys.argv:
            threading.Event().wait()
        reader = {"/v1/traces": spans, "/v1/metrics": metrics}[self.path]
        out.write(json.dumps({"path": self.path, **reader(body)}) + "\n")
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server.serve_forever()
