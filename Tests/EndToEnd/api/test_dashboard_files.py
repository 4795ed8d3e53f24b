"""The files of the dashboard: few requests for a page, and few bytes."""

import gzip
import re
import subprocess

import brotli
import httpx
import pytest

from installation import REPOSITORY

PAGES = sorted(page.stem for page in (REPOSITORY / "public").glob("*.html"))
DECODE = {"br": brotli.decompress, "gzip": gzip.decompress, "identity": bytes}


def fetched(waymark, path, coding):
    """An answer, and its body as it was sent."""
    with httpx.stream("GET", waymark.url + path, headers={"Accept-Encoding": coding}) as answer:
        assert answer.status_code == 200, path
        return answer, b"".join(answer.iter_raw())


def addresses(html, attribute):
    return re.findall(rf'{attribute}="(/assets/[^"]+)"', html)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_links_to_one_stylesheet_and_every_address_works(waymark, name):
    html = waymark.client.get("/" if name == "index" else f"/{name}").text
    links = addresses(html, "href")
    assert len([link for link in links if link.endswith(".css")]) == 1
    for address in links + addresses(html, "src"):
        answer = waymark.client.get(address.partition("#")[0])
        assert answer.status_code == 200 and "immutable" in answer.headers["Cache-Control"], address


def test_the_coding_that_a_client_prefers_gives_the_same_content(waymark):
    html = waymark.client.get("/").text
    for address in [link for link in addresses(html, "href") if ".css" in link] + addresses(html, "src"):
        plain, tags = None, set()
        for coding in ["identity", "gzip", "br"]:
            answer, body = fetched(waymark, address, coding)
            if len(body) < 1024 and coding == "identity":
                break
            assert answer.headers.get("Content-Encoding", "identity") == coding, address
            plain = plain or body
            assert DECODE[coding](body) == plain
            assert coding == "identity" or len(body) < len(plain)
            tags.add(answer.headers["ETag"])
            again = httpx.get(
                waymark.url + address, headers={"Accept-Encoding": coding, "If-None-Match": answer.headers["ETag"]}
            )
            assert again.status_code == 304
        assert len(tags) in (0, 3)


def test_a_bundled_page_loads_one_script_and_preloads_what_it_imports(tmp_path):
    subprocess.run([REPOSITORY / "Scripts/bundle-pages", tmp_path / "dashboard"], check=True)
    public = tmp_path / "dashboard/public"
    for page in (REPOSITORY / "public").rglob("*.html"):
        if "includes" in page.parts or '<script type="module"' not in page.read_text():
            continue
        html = (public / page.relative_to(REPOSITORY / "public")).read_text()
        [script] = re.findall(r'<script type="module" src="/([^"]+)">', html)
        for source in [script, *re.findall(r'<link rel="modulepreload" href="/([^"]+)">', html)]:
            imported = re.findall(r'(?:from|import)"([./]+[^"]+\.js)"', (public / source).read_text())
            for name in imported:
                file = (public / source).parent.joinpath(name).resolve().relative_to(public.resolve()).as_posix()
                assert (public / file).is_file()
                assert file == script or f'<link rel="modulepreload" href="/{file}">' in html, page.name
