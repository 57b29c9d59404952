"""Reading Gaussian networks: JSON with the nodes, the arcs, and a regression on its parents for each node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from secondlook.errors import DataError, GraphError
from secondlook.graphs import PDAG
from secondlook.simulation.linear import LinearModel

_INTERCEPT = "(Intercept)"


def read_gaussian_network(path: str | Path) -> LinearModel:
    """The linear model of a .json file with ``nodes``, ``arcs`` and ``cpds``.

    Parameters
    ----------
    path : str or Path
        ``nodes`` is a list of names and ``arcs`` one of pairs (tail, head). ``cpds`` has for every node its
        ``coefficients``, a mapping from each parent and from "(Intercept)" to a number, and the ``variance``
        of its noise. A number may stand in a list of its own.

    Returns
    -------
    LinearModel
        With intercepts and Gaussian noise.

    Raises
    ------
    DataError
        When the file does not hold such a network: one sentence with the file and the node.
    OSError
        When the file cannot be opened.
    """
    path = Path(path)
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        _refuse(path, f"line {error.lineno} is not JSON")
    except UnicodeDecodeError:
        _refuse(path, "it is no text")
    if not isinstance(record, dict) or not {"nodes", "arcs", "cpds"} <= record.keys():
        _refuse(path, "it must have 'nodes', 'arcs' and 'cpds'")
    try:
        dag = PDAG(record["nodes"], [tuple(arc) for arc in record["arcs"]])
    except (GraphError, TypeError, ValueError) as error:
        _refuse(path, str(error).rstrip("."))
    models = {name: _model(path, record["cpds"], name, dag.parents(name)) for name in dag.names}
    weights = [models[head][0][tail] for tail, head in dag.directed]
    intercepts = np.array([own.get(_INTERCEPT, 0.0) for own, _ in models.values()])
    variances = np.array([variance for _, variance in models.values()])
    try:
        return LinearModel(dag, np.array(weights), variances, intercepts=intercepts)
    except (GraphError, DataError) as error:
        _refuse(path, str(error).rstrip("."))


def _model(path: Path, models: Any, name: str, parents: tuple[str, ...]) -> tuple[dict[str, float], float]:
    """The coefficients of a node, one for each parent, and its variance."""
    own = models.get(name) if isinstance(models, dict) else None
    if not isinstance(own, dict) or not isinstance(own.get("coefficients"), dict):
        _refuse(path, f"node {name!r} has no 'coefficients'")
    coefficients = {of: _number(path, name, value) for of, value in own["coefficients"].items()}
    if coefficients.keys() - {_INTERCEPT} != set(parents):
        odd = sorted((coefficients.keys() - {_INTERCEPT}) ^ set(parents))
        _refuse(path, f"the coefficients of node {name!r} do not go with its arcs; look at {odd[0]!r}")
    return coefficients, _number(path, name, own.get("variance"))


def _number(path: Path, name: str, value: Any) -> float:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(path, f"node {name!r} has {value!r} where a number should be")
    return float(value)


def _refuse(path: Path, why: str) -> NoReturn:
    raise DataError(f"The file {path.name!r} is no Gaussian network: {why}.")
