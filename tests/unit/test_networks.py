"""Networks with known parameters: their files, their sampling, and one sentence for every broken file."""

from __future__ import annotations

import gzip
import json
from itertools import product

import numpy as np
import pytest

from secondlook import PDAG, DataError, GraphError, OptionError
from secondlook.simulation import DiscreteNetwork, read_bif, read_gaussian_network

BIF = """
network "garden" { property note something ; }
// rain or shine
variable Sky {
  type discrete [ 3 ] { sun, "light rain", >5mm };
}
variable Street { type discrete[2] {dry,wet}; property colour grey; }
variable Hose {
  type discrete [ 2 ] { on, off };
}
probability ( Street | Sky, Hose ) {
  (sun, on) 0.4, 0.6;
  (sun, off) 1.0, 0.0;
  ("light rain", on) 0.2, 0.8;
  default 0.0, 1.0; /* whatever
  the hose does */
}
probability ( Sky ) {
  table 0.5, 0.3, 0.2;
}
probability ( Hose | Sky ) {
  (sun) 2.5e-1 0.75;
  (">5mm") 0.0, 1.0;
  ("light rain") 0.1, 0.9;
}
"""
GAUSSIAN = {
    "nodes": ["b", "a", "c"],
    "arcs": [["a", "b"], ["b", "c"], ["a", "c"]],
    "cpds": {
        "a": {"coefficients": {"(Intercept)": [2.0]}, "variance": [4.0], "parents": []},
        "b": {"coefficients": {"(Intercept)": 1, "a": [-1.5]}, "variance": [1.0]},
        "c": {"coefficients": {"a": [0.5], "b": [2.0]}, "variance": 0.25},
    },
}
SHARED = (
    *(f"{name}.bif.gz" for name in ("alarm", "andes", "asia", "barley", "cancer", "child", "earthquake")),
    *(f"{name}.bif.gz" for name in ("hailfinder", "hepar2", "insurance", "mildew", "sachs", "survey")),
    *(f"{name}.bif.gz" for name in ("water", "win95pts")),
    *(f"{name}.json" for name in ("arth150", "ecoli70", "magic-irri", "magic-niab")),
)


@pytest.fixture
def garden(tmp_path):
    """The network of BIF."""
    file = tmp_path / "garden.bif"
    file.write_text(BIF, encoding="utf-8")
    return read_bif(file)


def joint(network):
    """The probability of every combination of levels, one axis per variable, by brute force."""
    shape = tuple(len(levels) for levels in network.levels)
    found = np.ones(shape)
    for codes in product(*map(range, shape)):
        for k, table in enumerate(network.tables):
            parents = sorted(network.dag.adjacency.parents[k])
            found[codes] *= table[(*(codes[p] for p in parents), codes[k])]
    return found


def test_read_bif_network(garden):
    """Names, levels, arrows and probabilities are those of the file, parents in column order."""
    assert garden.dag == PDAG(
        ["Sky", "Street", "Hose"], [("Sky", "Street"), ("Hose", "Street"), ("Sky", "Hose")]
    )
    assert garden.levels == (("sun", "light rain", ">5mm"), ("dry", "wet"), ("on", "off"))
    sky, street, hose = garden.tables
    assert sky.tolist() == [0.5, 0.3, 0.2]
    assert street.tolist() == [[[0.4, 0.6], [1, 0]], [[0.2, 0.8], [0, 1]], [[0, 1], [0, 1]]]
    assert hose.tolist() == [[0.25, 0.75], [0.1, 0.9], [0, 1]]
    assert repr(garden) == "DiscreteNetwork(3 variables, 3 arrows)"


def test_read_bif_parents_in_another_order(tmp_path, garden):
    """The order in which a block names the parents is that of its rows, and changes nothing."""
    text = BIF.replace("Street | Sky, Hose", "Street | Hose, Sky").replace("(sun, on)", "(on, sun)")
    text = text.replace("(sun, off)", "(off, sun)").replace('("light rain", on)', '(on, "light rain")')
    file = tmp_path / "garden.bif"
    file.write_text(text, encoding="utf-8")
    assert read_bif(file).tables[1].tolist() == garden.tables[1].tolist()


def test_read_bif_gzipped(tmp_path, garden):
    """A gzipped file is read whatever it is called."""
    file = tmp_path / "garden.bif.gz"
    file.write_bytes(gzip.compress(BIF.encode()))
    assert read_bif(str(file)).dag == garden.dag


BROKEN = {
    "empty": ("", r"line 1: no variable is declared"),
    "another language": ("<html>", r"line 1: expected 'network', 'variable' or 'probability', got '<html>'"),
    "cut": (BIF[:120], r"the file ends where"),
    "cut in the network block": ("network a {", r"line 1: the file ends where '}' should be"),
    "no type": ("variable A { }", r"line 1: variable 'A' has no type"),
    "two types": ("variable A { type discrete [1] {x}; type discrete [1] {x}; }", r"expected one 'type disc"),
    "continuous": ("variable A { type continuous; }", r"expected 'discrete', got 'continuous'"),
    "wrong number of levels": (
        "\nvariable A { type discrete [ 3 ] { x, y }; }",
        r"line 2: variable 'A' needs 3",
    ),
    "repeated level": ("variable A { type discrete [ 2 ] { x, x }; }", r"needs 2 different levels, got 1"),
    "variable twice": (
        BIF.replace("variable Hose", "variable Sky"),
        r"line 8: variable 'Sky' is declared twice",
    ),
    "name missing": ("variable { type", r"line 1: expected a variable, got '{'"),
    "undeclared child": (BIF.replace("( Hose |", "( Nose |"), r"line 21: variable 'Nose' is not declared"),
    "undeclared parent": (
        BIF.replace("( Hose | Sky", "( Hose | Fly"),
        r"line 21: parent 'Fly' is not declared",
    ),
    "parent twice": (BIF.replace("| Sky, Hose", "| Sky, Sky"), r"'Street' names a parent twice or itself"),
    "no separator": (BIF.replace("( Sky )", "( Sky ; )"), r"line 18: expected '\|' or '\)', got ';'"),
    "no block": (BIF.replace("probability ( Sky ) {\n  table 0.5, 0.3, 0.2;\n}", ""), r"'Sky' has no prob"),
    "two blocks": (BIF + BIF[BIF.index("probability ( Sky") :], r"'Sky' has two probability blocks"),
    "row missing": (BIF.replace("default 0.0, 1.0;", ""), r"'Street' has no row for \('light rain', 'off'\)"),
    "row twice": (BIF.replace("(sun, off)", "(sun, on)"), r"line 13: variable 'Street' has two rows for"),
    "unknown level": (BIF.replace("(sun, off)", "(fun, off)"), r"line 13: 'Sky' has no level 'fun'"),
    "too few levels": (BIF.replace("(sun, off)", "(sun)"), r"a row must name .* 2 parents, got 1"),
    "too few numbers": (BIF.replace("0.5, 0.3, 0.2", "0.5, 0.5"), r"a row of 'Sky' must have 3 prob.*got 2"),
    "no number": (
        BIF.replace("0.5, 0.3, 0.2", "0.5, 0.3, rest"),
        r"line 19: expected a probability, got 'rest'",
    ),
    "negative": (BIF.replace("0.5, 0.3, 0.2", "0.9, 0.3, -0.2"), r"must lie in \[0, 1\], got '-0.2'"),
    "not a number": (BIF.replace("0.5, 0.3, 0.2", "0.5, 0.3, nan"), r"must lie in \[0, 1\], got 'nan'"),
    "wrong sum": (BIF.replace("0.5, 0.3, 0.2", "0.5, 0.3, 0.1"), r"a row of 'Sky' sums to 0.9 instead of 1"),
    "table with parents": (BIF.replace("(sun) 2.5e-1", "table 2.5e-1"), r"'Hose' has parents; write one row"),
    "nonsense for a row": (
        BIF.replace("table 0.5", "fable 0.5"),
        r"line 19: expected a row of 'Sky', got 'fable'",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_read_bif_broken(name, tmp_path):
    """A file that is no network is refused in one sentence with file, line and word."""
    text, message = BROKEN[name]
    file = tmp_path / "broken.bif"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"The file 'broken\.bif' is no network in BIF: line \d+: ") as caught:
        read_bif(file)
    assert caught.match(message)


def test_read_bif_cycle(tmp_path):
    """A file whose arrows close a cycle is refused."""
    text = BIF.replace("table 0.5, 0.3, 0.2", "(on) 0.5, 0.3, 0.2; (off) 0.5, 0.3, 0.2")
    file = tmp_path / "broken.bif"
    file.write_text(text.replace("( Sky )", "( Sky | Hose )"), encoding="utf-8")
    with pytest.raises((DataError, GraphError)):
        read_bif(file)


@pytest.mark.parametrize(
    "raw", [b"\xff\xfe\x00", b"\x1f\x8b\x08nonsense", gzip.compress(BIF.encode(), mtime=0)[:-20]]
)
def test_read_bif_bytes(raw, tmp_path):
    """Bytes that are no text, plain or gzipped, are refused; an absent file stays Python's own error."""
    file = tmp_path / "broken.bif"
    file.write_bytes(raw)
    with pytest.raises(DataError, match=r"The file 'broken\.bif' is no BIF text"):
        read_bif(file)
    with pytest.raises(FileNotFoundError):
        read_bif(tmp_path / "absent.bif")


def test_sample_follows_the_joint_distribution(garden, rng):
    """In many rows every combination of levels is as frequent as the tables say."""
    n = 400_000
    codes = garden.sample(n, rng).codes
    shape = (3, 2, 2)
    shares = np.bincount(np.ravel_multi_index(codes.T, shape), minlength=12).reshape(shape) / n
    expected = joint(garden)
    assert expected.sum() == pytest.approx(1.0)
    spread = np.sqrt(expected * (1 - expected) / n)
    assert (abs(shares - expected) <= 5 * spread).all()  # exactly none where the probability is 0


def test_sample_record(garden):
    """The same seed gives the same rows, with names and levels of the network, drawn or not."""
    rows = garden.sample(50, np.random.default_rng(1))
    again = garden.sample(50, np.random.default_rng(1))
    assert np.array_equal(rows.codes, again.codes)
    assert rows.names == garden.dag.names
    assert rows.levels == garden.levels
    assert not rows.codes.flags.writeable
    with pytest.raises(OptionError, match="must be at least 1"):
        garden.sample(0, np.random.default_rng(1))
    with pytest.raises(TypeError, match="numpy Generator"):
        garden.sample(10, 1)


def test_discrete_network_of_wrong_parts():
    """Tables of another shape, or that are no distributions, are refused by name."""
    dag, levels = PDAG("ab", ["ab"]), (("x", "y"), ("p", "q"))
    half = np.full((2, 2), 0.5)
    for tables, message in (
        ((half[0],), r"The 'tables' of DiscreteNetwork must be one for each of 2 variables. Got 1."),
        ((half, half), r"The table of 'a' must have shape \(2,\)"),
        ((half[0], half * 1.1), r"The probabilities of 'b' .* a sum of 1.1"),
        ((half[0], np.array([[2.0, -1.0], [0.5, 0.5]])), r"a least of -1"),
    ):
        with pytest.raises(DataError, match=message):
            DiscreteNetwork(dag, levels, tables)
    with pytest.raises(GraphError):
        DiscreteNetwork(PDAG("ab", (), ["ab"]), levels, (half[0], half))
    with pytest.raises(TypeError, match="must be a PDAG"):
        DiscreteNetwork("ab", levels, (half[0], half))


def test_discrete_network_rounded_probabilities():
    """Sums that miss 1 by rounding are made 1."""
    network = DiscreteNetwork(PDAG("a"), (("x", "y", "z"),), (np.array([0.333, 0.333, 0.333]),))
    assert network.tables[0].tolist() == pytest.approx([1 / 3] * 3)


@pytest.fixture
def written(tmp_path):
    """Writes a record to a file."""

    def write(record):
        file = tmp_path / "model.json"
        file.write_text(json.dumps(record), encoding="utf-8")
        return file

    return write


def test_read_gaussian_network(written, rng):
    """Weights, variances and intercepts are those of the file, and show in a sample."""
    model = read_gaussian_network(written(GAUSSIAN))
    assert model.dag == PDAG(["b", "a", "c"], [("a", "b"), ("b", "c"), ("a", "c")])
    assert dict(zip(model.dag.directed, model.weights.tolist(), strict=True)) == {
        ("a", "b"): -1.5,
        ("b", "c"): 2.0,
        ("a", "c"): 0.5,
    }
    assert model.variances.tolist() == [1.0, 4.0, 0.25]
    assert model.intercepts.tolist() == [1.0, 2.0, 0.0]
    rows = model.sample(200_000, rng)
    assert rows.mean(axis=0) == pytest.approx([-2.0, 2.0, -3.0], abs=0.06)
    np.testing.assert_allclose(np.cov(rows.T), model.covariance(), rtol=0.05)


WRONG = {
    "no cpds": (lambda r: r.pop("cpds"), r"must have 'nodes', 'arcs' and 'cpds'"),
    "unknown node": (lambda r: r["arcs"].append(["a", "z"]), r"no node 'z'"),
    "repeated node": (lambda r: r["nodes"].append("a"), r"'a'"),
    "node without cpd": (lambda r: r["cpds"].pop("a"), r"node 'a' has no 'coefficients'"),
    "arc without coefficient": (
        lambda r: r["cpds"]["c"]["coefficients"].pop("a"),
        r"node 'c' .* look at 'a'",
    ),
    "coefficient without arc": (lambda r: r["arcs"].pop(), r"node 'c' .* look at 'a'"),
    "no variance": (lambda r: r["cpds"]["b"].pop("variance"), r"node 'b' has None where a number"),
    "text": (lambda r: r["cpds"]["b"].__setitem__("variance", "1"), r"node 'b' has '1' where a number"),
    "no spread": (lambda r: r["cpds"]["b"].__setitem__("variance", 0), r"must be positive"),
    "cycle": (
        lambda r: (r["arcs"].append(["c", "a"]), r["cpds"]["a"]["coefficients"].update(c=1)),
        r"no Gaus",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_read_gaussian_network_wrong(name, written):
    """A file that is no Gaussian network is refused in one sentence that names file and node."""
    record = json.loads(json.dumps(GAUSSIAN))
    change, message = WRONG[name]
    change(record)
    with pytest.raises(DataError, match=r"The file 'model\.json' is no Gaussian network: ") as caught:
        read_gaussian_network(written(record))
    assert caught.match(message)


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff\xfe", b"[]"])
def test_read_gaussian_network_no_json(raw, tmp_path):
    """What is no JSON, or holds something else, is refused."""
    file = tmp_path / "model.json"
    file.write_bytes(raw)
    with pytest.raises(DataError, match=r"The file 'model\.json' is no Gaussian network"):
        read_gaussian_network(file)


@pytest.mark.parametrize("name", SHARED)
def test_standard_network(name, shared, rng):
    """Every standard network can be read and drawn from; its rows stay within its levels."""
    folder = shared / "data" / "networks"
    if not (folder / name).is_file():
        pytest.skip("needs the maintainers' copies of the standard networks")
    if name.endswith(".json"):
        model = read_gaussian_network(folder / name)
        assert np.isfinite(model.sample(10, rng)).all()
        return
    network = read_bif(folder / name)
    rows = network.sample(200, rng)
    assert rows.codes.min() >= 0
    assert (rows.codes.max(axis=0) < [len(levels) for levels in network.levels]).all()
