"""Reads pages as a browser would."""

from __future__ import annotations

from html.parser import HTMLParser


class Reader(HTMLParser):
    """The elements of a page, its text, what it would fetch, and where its links lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = [value or "" for name, value in attributes if name in ("src", "href", "action", "srcset")]
        (self.links if tag == "a" else self.fetched).extend(found)
        if tag not in ("meta", "link", "br", "line"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} closes another"

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data
