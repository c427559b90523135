"""Numbers as `lookahead run` shows them."""

from __future__ import annotations


def count(value: int) -> str:
    """`41,200`"""
    return f"{value:,}"


def counted(value: int, one: str, many: str | None = None) -> str:
    """`1 page`, `41,200 pages`"""
    return f"{count(value)} {one if value == 1 else many or one + 's'}"


def size(value: int) -> str:
    """`20.2 MB`"""
    amount, unit = float(value), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{value} B" if unit == "B" else f"{amount:.1f} {unit}"


def span(seconds: float) -> str:
    """`0.45 s`, `12 s`, `3 min 20 s`, `2 h 5 min`"""
    if seconds < 10:
        return f"{seconds:.2f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min" + (f" {whole % 60} s" if whole % 60 else "")
    return f"{whole // 3600} h" + (f" {whole % 3600 // 60} min" if whole % 3600 // 60 else "")
