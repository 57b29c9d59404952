"""The networks of a folder that the user brings along."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from secondlook.errors import DataError
from secondlook.simulation import DiscreteNetwork, LinearModel, read_bif, read_gaussian_network

if TYPE_CHECKING:
    from pathlib import Path

Network: TypeAlias = LinearModel | DiscreteNetwork
_DISCRETE = (".bif", ".bif.gz")
_GAUSSIAN = ".json"


class Found(NamedTuple):
    """A network's file, and what it holds."""

    name: str
    path: Path
    network: Network

    @property
    def kind(self) -> str:
        """Gaussian or discrete."""
        return "gaussian" if isinstance(self.network, LinearModel) else "discrete"


def networks_in(folder: Path) -> list[Found]:
    """The networks of a folder, Gaussian ones (.json), then discrete ones (.bif, .bif.gz), small ones first.

    Parameters
    ----------
    folder : Path
        Other files in it do not matter.

    Raises
    ------
    DataError
        If it is no folder or holds no network, or a file of these names is none.
    """
    if not folder.is_dir():
        raise DataError(
            f"There is no folder {str(folder)!r}; give one that holds .json, .bif or .bif.gz files."
        )
    paths = [path for path in sorted(folder.iterdir()) if path.name.endswith((_GAUSSIAN, *_DISCRETE))]
    if not paths:
        raise DataError(
            f"The folder {str(folder)!r} holds no network; put .json, .bif or .bif.gz files there."
        )
    found = [Found(path.name.split(".")[0], path, read_network(path)) for path in paths]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"The folder {str(folder)!r} holds two networks called {name!r}; move one away.")
    return sorted(found, key=lambda one: (one.kind != "gaussian", one.network.dag.d))


def read_network(path: Path) -> Network:
    """The network of a file, by its name's ending."""
    return read_gaussian_network(path) if path.name.endswith(_GAUSSIAN) else read_bif(path)
