"""Paging conventions of named, public APIs, written from what their documentation says."""

from dataclasses import dataclass
from typing import Callable

conventions = {}


@dataclass
class Convention:
    """An API's way to page."""

    name: str
    documentation: str
    pages: str
    answer: Callable

    def described(self):
        return {"name": self.name, "documentation": self.documentation, "pages": self.pages}


def convention(name, documentation, pages):
    """Registers the function that answers as an API does."""

    def register(answer):
        conventions[name] = Convention(name, documentation, pages, answer)
        return answer

    return register


from . import cursors, further, headers, links, more_cursors, numbers, offsets, plain, posts  # noqa: E402,F401
