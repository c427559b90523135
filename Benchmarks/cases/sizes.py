"""How much work a case is."""
from dataclasses import dataclass


@dataclass
class Sizes:
    """`quick` makes everything so small that a whole run is a matter of seconds; its figures mean nothing. `long` adds what takes minutes."""
    quick: bool = False
    long: bool = False

    def __call__(self, count, quick=None):
        """So many, or few in a quick run."""
        return (quick or max(count // 50, 100)) if self.quick else count
