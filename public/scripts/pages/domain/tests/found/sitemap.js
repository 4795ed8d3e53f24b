import { count } from "../../../../shared/words/numbers.js";
import { FileProblem } from "./found-urls.js";

/** Takes the pages of a sitemap (sitemaps.org). Throws a `FileProblem` for an index of sitemaps and for other XML. */
export function readSitemap(text, found) {
    const document = new DOMParser().parseFromString(text.trimStart(), "application/xml");
    if (document.querySelector("parsererror")) throw new FileProblem("This XML is broken, so it cannot be read.");
    const root = document.documentElement.localName;
    if (root === "sitemapindex") throw indexProblem(document);
    if (root !== "urlset") throw new FileProblem(`This XML is not a sitemap: it starts with <${root}>.`);
    for (const address of addresses(document, "url")) found.take(address);
}

function indexProblem(document) {
    const sitemaps = addresses(document, "sitemap").filter((address) => /^https?:\/\//i.test(address));
    const index = `This is an index of ${count(sitemaps.length, "sitemap")}. It lists no pages.`;
    const problem = new FileProblem(`${index} Download one of its sitemaps and drop it here.`);
    problem.sitemaps = sitemaps;
    return problem;
}

/** The `loc` of each `url` or `sitemap`; those of images and videos have other parents. */
function addresses(document, parent) {
    const found = [...document.getElementsByTagNameNS("*", "loc")];
    return found.filter((loc) => loc.parentElement.localName === parent).map((loc) => loc.textContent.trim());
}
