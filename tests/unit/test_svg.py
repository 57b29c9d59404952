"""The drawing of a graph."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from secondlook.graphs import PDAG, cpdag, to_svg
from zoo import DAGS, NASTY_NAMES, NOT_EXTENDABLE, names, random_dag, random_pdag

SVG = "{http://www.w3.org/2000/svg}"


def _boxes(root: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every node."""
    rects = [
        [float(rect.attrib[key]) for key in ("x", "y", "width", "height")] for rect in root.iter(f"{SVG}rect")
    ]
    return [(x, y, x + width, y + height) for x, y, width, height in rects]


@pytest.mark.parametrize("graph", [*DAGS.values(), *NOT_EXTENDABLE.values()], ids=[*DAGS, *NOT_EXTENDABLE])
def test_svg_draws_every_node_and_edge(graph):
    """Each node is a box, each edge a path, each arrow a head."""
    root = ElementTree.fromstring(to_svg(graph))
    assert len(list(root.iter(f"{SVG}rect"))) == graph.d
    assert len(list(root.iter(f"{SVG}path"))) == graph.n_edges
    assert len(list(root.iter(f"{SVG}polygon"))) == len(graph.arrows)


def test_svg_heads_touch_the_box_they_point_at(rng):
    """The tip of every arrowhead lies on the top or bottom border of its head's box."""
    graph = cpdag(random_dag(rng, 25))
    root = ElementTree.fromstring(to_svg(graph))
    boxes = _boxes(root)
    heads = [polygon.attrib["points"].split()[0] for polygon in root.iter(f"{SVG}polygon")]
    for (_, head), tip in zip(graph.arrows.tolist(), heads, strict=True):
        x, y = map(float, tip.split(","))
        left, top, right, bottom = boxes[head]
        assert left <= x <= right
        assert min(abs(y - top), abs(y - bottom)) <= 0.11


def test_svg_arrows_point_down_when_the_graph_extends(rng):
    """In an extendable graph every arrow's head lies below its tail."""
    graph = cpdag(random_dag(rng, 25))
    boxes = _boxes(ElementTree.fromstring(to_svg(graph)))
    assert all(boxes[head][1] > boxes[tail][3] for tail, head in graph.arrows.tolist())


def test_svg_boxes_do_not_overlap_and_lie_inside(rng):
    """No two nodes overlap, and all lie in the view box, however dense the graph."""
    for degree in (0, 2, 8):
        root = ElementTree.fromstring(to_svg(random_pdag(rng, 40, degree)))
        boxes = _boxes(root)
        x, y, width, height = map(float, root.attrib["viewBox"].split())
        for k, (left, top, right, bottom) in enumerate(boxes):
            assert x <= left
            assert y <= top
            assert right <= x + width
            assert bottom <= y + height
            assert all(o[0] >= right or o[2] <= left or o[1] >= bottom or o[3] <= top for o in boxes[:k])


def test_svg_escapes_names():
    """No name reaches the document as markup, and forbidden characters get a stand-in."""
    text = to_svg(PDAG([*NASTY_NAMES, "\0", "\ud800"]))
    root = ElementTree.fromstring(text.encode())
    assert "<script" not in text
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert "<script>alert(1)</script>" in titles
    assert "two↵lines" in titles
    assert titles.count("\ufffd") == 2


def test_svg_cuts_long_labels_and_keeps_the_name():
    """A long name is cut in the label and whole in the title."""
    root = ElementTree.fromstring(to_svg(PDAG(["ß" * 200])))
    assert [text.text for text in root.iter(f"{SVG}text")] == ["ß" * 23 + "…"]
    assert "ß" * 200 in [title.text for title in root.iter(f"{SVG}title")]


def test_svg_is_self_contained_and_follows_the_theme():
    """The drawing has no ids, scripts, links or colours of its own."""
    text = to_svg(PDAG("abc", ["ab"], ["bc"]))
    assert "currentColor" in text
    assert not re.search(r"\bid=|href|url\(|<script|#[0-9a-f]{3}", text)


def test_svg_of_equal_graphs_is_equal():
    """The same graph gives the same text, and a notebook shows that text."""
    graph = PDAG("abcd", ["ab", "cb"], ["bd"])
    assert to_svg(graph) == to_svg(PDAG("abcd", ["cb", "ab"], ["db"])) == graph._repr_svg_()


def test_svg_of_a_big_graph_is_a_sentence():
    """Sixty nodes are drawn, sixty-one are not."""
    assert to_svg(PDAG(names(60))).count("<rect") == 60
    text = to_svg(PDAG(names(61)))
    assert "<rect" not in text
    assert "PDAG with 61 nodes, 0 edges: too many to draw; to_dot() and to_graphml() export it." in text
    assert "nothing to draw" in to_svg(PDAG([]))
