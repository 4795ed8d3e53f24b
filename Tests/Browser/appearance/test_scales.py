"""Sizes of text and spaces come from the scales in base.css."""

import re

from installation import REPOSITORY

STYLES = REPOSITORY / "public/styles"

DECLARATION = re.compile(r"[\s{;](font-size|border-radius|(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z]+)*): ([^;{}]+);")
FUNCTION = re.compile(r"\w+\((?:[^()]|\([^()]*\))*\)")
# Up to the largest step of the scale of spaces. A larger one is a place for something of a known size.
LENGTH = re.compile(r"(?<![\w.])-?(?:0?\.\d+|[12](?:\.\d+)?)rem\b")

# They keep clear of an element of that size: the label of a field, or the sign and the number of a row.
PLACES = {"1.5625rem", "1.6875rem", "1.75rem", "2.125rem", "2.75rem", "2.875rem"}


def test_no_style_has_a_size_of_its_own():
    found = []
    for file in sorted(STYLES.rglob("*.css")):
        path = str(file.relative_to(STYLES))
        for name, value in DECLARATION.findall(file.read_text()):
            sizes = set(LENGTH.findall(FUNCTION.sub("", value))) - PLACES
            found += [f"{path}: {name}: {value}" for _ in sizes]
    assert found == []
