#!/usr/bin/env python3
"""dlt's rest_api source into postgres, duckdb or parquet (DEST). OUT is a folder, URL a database, DISPOSITION append or merge."""
import os
import dlt
from dlt.sources.rest_api import rest_api_source

base, out, kind = os.environ["BASE_URL"], os.environ["OUT"], os.environ["DEST"]
os.makedirs(out, exist_ok=True)
source = rest_api_source({
    "client": {"base_url": base + "/", "paginator": {"type": "json_link", "next_url_path": "next_url"}},
    "resources": [{
        "name": "items", "primary_key": "id", "write_disposition": os.environ.get("DISPOSITION", "append"),
        "endpoint": {"path": "items", "data_selector": "items", "params": {"page": 1, "per_page": int(os.environ["PER_PAGE"])}},
    }],
})
source.max_table_nesting = 0  # nested values stay JSON, as the others keep them
if kind == "postgres":
    # It asks for a password, also where the server does not.
    destination, form = dlt.destinations.postgres(os.environ["URL"].replace("postgres@", "postgres:none@")), None
elif kind == "duckdb":
    destination, form = dlt.destinations.duckdb(os.path.join(out, "items.duckdb")), None
else:
    destination, form = dlt.destinations.filesystem(bucket_url="file://" + os.path.abspath(out)), "parquet"
pipeline = dlt.pipeline("bench_items", destination=destination, dataset_name="bench", pipelines_dir=os.path.join(out, "pipelines"), progress=None)
pipeline.run(source, loader_file_format=form)
