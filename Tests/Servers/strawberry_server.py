#!/usr/bin/env python3
"""Serves a Strawberry schema at /graphql: 640 books as a Relay connection, and 50 shelves with theirs.

The connection is Strawberry's own: edges, pageInfo {hasNextPage, endCursor}, first (at most 100), after.
"""

from typing import Iterable

import strawberry
import uvicorn
from running import announce, arguments, listening
from strawberry import relay
from strawberry.asgi import GraphQL
from strawberry.schema.config import StrawberryConfig

BOOKS, SHELVES = 640, 50


@strawberry.type
class Book(relay.Node):
    number: relay.NodeID[int]
    title: str
    serial: int


@strawberry.type
class Shelf:
    name: str
    first_book: strawberry.Private[int]

    @relay.connection(relay.ListConnection[Book])
    def books(self) -> Iterable[Book]:
        return [book(n) for n in range(self.first_book, BOOKS + 1, SHELVES)]


def book(number):
    return Book(number=number, title=f"Book {number}", serial=number)


@strawberry.type
class Query:
    @relay.connection(relay.ListConnection[Book])
    def books(self) -> Iterable[Book]:
        return [book(n) for n in range(1, BOOKS + 1)]

    @strawberry.field
    def shelves(self) -> list[Shelf]:
        return [Shelf(name=f"Shelf {n}", first_book=n) for n in range(1, SHELVES + 1)]

    @strawberry.field
    def shelf(self, name: str) -> Shelf:
        return Shelf(name=name, first_book=int(name.removeprefix("Shelf ")))


if __name__ == "__main__":
    given = arguments(__doc__)
    schema = strawberry.Schema(Query, config=StrawberryConfig(relay_max_results=100))
    server = uvicorn.Server(uvicorn.Config(GraphQL(schema), log_level="error"))
    accepting = listening(given.port)
    announce(given, accepting.getsockname()[1])
    server.run(sockets=[accepting])
