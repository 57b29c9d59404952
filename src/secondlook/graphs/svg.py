"""A small drawing of a graph as one self-contained SVG, in the colour of the surrounding text."""

from __future__ import annotations

import unicodedata
from html import escape
from math import hypot
from typing import TYPE_CHECKING

from secondlook.graphs.layout import NODE_HEIGHT as _NODE_HEIGHT
from secondlook.graphs.layout import layered

if TYPE_CHECKING:
    from secondlook.graphs.pdag import PDAG

    Point = tuple[float, float]

MOST_NODES = 60
_MARGIN = 12.0
_CURVE = 22.0
_HEAD_LENGTH, _HEAD_HALF = 9.0, 4.2
_LONGEST_LABEL = 24


def to_svg(pdag: PDAG) -> str:
    """The graph drawn as SVG: arrows point down where they can, lines have no heads.

    Parameters
    ----------
    pdag : PDAG
        Any graph; with more than 60 nodes a sentence is drawn instead.

    Returns
    -------
    str
        One ``<svg>`` element without scripts, ids or outside resources; equal graphs give equal text.

    Examples
    --------
    >>> from secondlook.graphs import PDAG
    >>> to_svg(PDAG("ab", directed=["ab"])).count("<polygon")
    1
    """
    summary = f"PDAG with {_counted(pdag.d, 'node')}, {_counted(pdag.n_edges, 'edge')}"
    if pdag.d == 0 or pdag.d > MOST_NODES:
        note = "nothing to draw." if pdag.d == 0 else "too many to draw; to_dot() and to_graphml() export it."
        return _sentence(f"{summary}: {note}")
    labels = [_label(name) for name in pdag.names]
    widths = [max(34.0, _text_width(label) + 20.0) for label in labels]
    layout = layered(pdag, widths)
    body = [f"<title>{escape(summary)}</title>"]
    for pairs, is_arrow in ((pdag.arrows, True), (pdag.lines, False)):
        for i, j in pairs.tolist():
            bends = layout.bends[i, j] if (i, j) in layout.bends else layout.bends[j, i][::-1]
            body += _edge([layout.centers[i], *bends, layout.centers[j]], (widths[i], widths[j]), is_arrow)
    for i, name in enumerate(pdag.names):
        body += _node(layout.centers[i], widths[i], labels[i], name)
    return _svg(layout.width, layout.height, summary, body)


def _svg(width: float, height: float, summary: str, body: list[str]) -> str:
    full_width, full_height = width + 2 * _MARGIN, height + 2 * _MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(summary)}" '
        f'width="{full_width:.0f}" height="{full_height:.0f}" '
        f'viewBox="{-_MARGIN:.0f} {-_MARGIN:.0f} {full_width:.0f} {full_height:.0f}" '
        'style="max-width:100%" font-family="system-ui,sans-serif" font-size="13" '
        'fill="currentColor" stroke="none">'
    )
    return "\n".join([head, *body, "</svg>\n"])


def _sentence(text: str) -> str:
    return _svg(_text_width(text), 20.0, text, [f'<text x="0" y="15">{escape(text)}</text>'])


def _node(center: Point, width: float, label: str, name: str) -> list[str]:
    x, y = center
    box = (
        f'<rect x="{x - width / 2:.1f}" y="{y - _NODE_HEIGHT / 2:.1f}" width="{width:.1f}" '
        f'height="{_NODE_HEIGHT:.1f}" rx="7" fill-opacity="0.07" stroke="currentColor" stroke-width="1.2"/>'
    )
    text = f'<text x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle">{escape(label)}</text>'
    return ["<g>", f"<title>{escape(_printable(name))}</title>", box, text, "</g>"]


def _edge(points: list[Point], widths: tuple[float, float], is_arrow: bool) -> list[str]:
    """A path between the borders of its end nodes, rounded at the bends, with a head if it is an arrow.

    Every layer is crossed straight up or down, so that no edge runs through a node it does not join.
    """
    down = 1.0 if points[1][1] > points[0][1] else -1.0
    start = _port(points[0], points[1], widths[0], down)
    tip = _port(points[-1], points[-2], widths[1], -down)
    half = down * _NODE_HEIGHT / 2
    corners = [corner for x, y in points[1:-1] for corner in ((x, y - half), (x, y + half))]
    before = corners[-1] if corners else start
    length = hypot(tip[0] - before[0], tip[1] - before[1])
    ux, uy = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    # the stroke ends inside the head, so that the tip stays sharp
    end = (tip[0] - ux * _HEAD_LENGTH * 0.8, tip[1] - uy * _HEAD_LENGTH * 0.8) if is_arrow else tip
    drawn = [
        f'<path d="{_rounded([start, *corners, end])}" fill="none" stroke="currentColor" '
        'stroke-width="1.4" stroke-opacity="0.75"/>'
    ]
    if is_arrow:
        bx, by = tip[0] - ux * _HEAD_LENGTH, tip[1] - uy * _HEAD_LENGTH
        sx, sy = -uy * _HEAD_HALF, ux * _HEAD_HALF
        head = f"{tip[0]:.1f},{tip[1]:.1f} {bx + sx:.1f},{by + sy:.1f} {bx - sx:.1f},{by - sy:.1f}"
        drawn.append(f'<polygon points="{head}"/>')
    return drawn


def _port(center: Point, towards: Point, width: float, down: float) -> Point:
    """Where an edge meets the bottom (down = 1) or top (down = -1) of a node, on the side it comes from."""
    lean = (towards[0] - center[0]) / abs(towards[1] - center[1]) * _NODE_HEIGHT / 2
    reach = width / 2 - 8.0
    return center[0] + max(-reach, min(reach, lean)), center[1] + down * _NODE_HEIGHT / 2


def _rounded(points: list[Point]) -> str:
    """A path of straight segments whose corners are cut by curves."""
    path = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        (ax, ay), (bx, by) = _towards(corner, before), _towards(corner, after)
        path.append(f"L{ax:.1f} {ay:.1f}Q{corner[0]:.1f} {corner[1]:.1f} {bx:.1f} {by:.1f}")
    path.append(f"L{points[-1][0]:.1f} {points[-1][1]:.1f}")
    return "".join(path)


def _towards(corner: Point, other: Point) -> Point:
    """The point where the curve at a corner begins: a fixed way off, at most half of the segment."""
    dx, dy = other[0] - corner[0], other[1] - corner[1]
    share = min(0.5, _CURVE / (hypot(dx, dy) or 1.0))
    return corner[0] + dx * share, corner[1] + dy * share


def _label(name: str) -> str:
    text = _printable(name)
    return text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 1] + "…"


def _printable(name: str) -> str:
    """The name with a visible stand-in for every character that XML forbids or that breaks a line."""
    return "".join(_stand_in(c) if unicodedata.category(c) in {"Cc", "Cs", "Cn"} else c for c in name)


def _stand_in(character: str) -> str:
    return "↵" if character in "\n\r" else " " if character == "\t" else "\ufffd"


def _text_width(text: str) -> float:
    """A guess that errs on the wide side, because no font can be asked."""
    wide = {
        c: 13.0 if unicodedata.east_asian_width(c) in "WF" else 11.5 if c in "MWmw@%" else 8.0 for c in text
    }
    return sum(wide[c] for c in text)


def _counted(count: int, thing: str) -> str:
    return f"1 {thing}" if count == 1 else f"{count} {thing}s"
