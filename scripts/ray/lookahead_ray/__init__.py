"""Reads the partitions of a Lookahead script on all machines of a Ray cluster.

`lookahead partitions` lists them, `lookahead work` reads them, `lookahead collect` brings them together; this package hands
them out, counts who may send how much to which host, and says how far it is.
"""
