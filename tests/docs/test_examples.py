"""The examples of the README, of docs/ and of every docstring run, and print what they say they print."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shutil
import warnings

import pytest
from pages import FENCE, PAGES, answered, commands, matches, printed, python_examples, text_of

import secondlook


def modules():
    """Every module of the package that Python wrote, except the one that only runs."""
    names = [info.name for info in pkgutil.walk_packages(secondlook.__path__, "secondlook.")]
    return [name for name in names if not name.endswith(("._native", ".__main__"))]


@pytest.mark.parametrize("page", list(filter(python_examples, PAGES)), ids=lambda page: page.name)
def test_python_of_page_prints_what_the_page_says(page, tmp_path, monkeypatch):
    """The Python blocks of a page run one after the other and print the text blocks after them."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for line, code, expected in python_examples(page):
        assert printed(code, names, page, line) == expected, f"{page.name}, line {line}"


@pytest.mark.parametrize("page", list(filter(commands, PAGES)), ids=lambda page: page.name)
def test_commands_of_page_print_what_the_page_says(page, tmp_path):
    """The console blocks of a page run in one folder, and print what it shows, … being anything."""
    assert shutil.which("secondlook"), "the command is installed beside the package"
    for command, expected in commands(page):
        ran = answered(command, tmp_path)
        assert ran.returncode == 0, f"{page.name}: {command}\n{ran.stderr}"
        if not matches(expected, ran.stdout):
            assert ran.stdout == expected, f"{page.name}: {command}"


def test_pages_have_examples():
    """The README and the pages that teach are among those whose examples run."""
    taught = {page.name for page in PAGES if python_examples(page)}
    assert {"README.md", "conventions.md", "how-to-choose.md", "independence.md"} <= taught
    assert "command-line.md" in {page.name for page in PAGES if commands(page)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_page_lead_somewhere(page):
    """Every relative link of a page names a file that exists, and a heading that is in it."""
    for link, heading in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", FENCE.sub("", text_of(page))):
        if "://" in link:
            continue
        target = page.parent / link if link else page
        assert target.exists(), link
        headings = [line.lstrip("# ").lower() for line in text_of(target).splitlines() if line[:1] == "#"]
        slugs = [re.sub(r"[^\w -]", "", text).replace(" ", "-") for text in headings]
        assert not heading or heading in slugs, f"{link}#{heading}"


@pytest.mark.parametrize("name", modules())
def test_docstring_examples_of_module(name):
    """The examples in a module's docstrings print what they say."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0
