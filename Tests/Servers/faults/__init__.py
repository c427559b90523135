"""A small HTTP server with a deterministic data set, and the faults that paging clients meet."""
