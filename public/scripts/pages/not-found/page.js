import { startPublicPage } from "../../components/public-page.js";
import { addressWithOrganization, domainAddress } from "../../shared/page/addresses.js";
import { fill, part } from "../../shared/page/template.js";

const pages = ["apps", "schedules", "releases", "events", "people", "account", "validate", "finding", "api", "sign-in", "domain"];
const others = { domains: "/", hosts: "/", openapi: "/api", docs: "/api", findings: "/finding", login: "/sign-in",
    members: "/people", tokens: "/people", invitations: "/people", profile: "/account", password: "/account" };
const maximumSlips = 2;

const main = document.getElementById("main");
fill(main, { address: decoded(location.pathname) });
const session = await startPublicPage();
const slug = session?.organization?.slug;
part(main, "home").href = addressWithOrganization("/", slug);
part(main, "find-page").hidden = false;
part(main, "find-page").addEventListener("click", () => part(document.querySelector(".masthead"), "find").click());
showGuess(guess(location.pathname.split("/")[1].toLowerCase()));

/** The address of a page with almost this name, or of the domain with this host. */
function guess(name) {
    if (others[name]) return others[name];
    const near = pages.map((page) => ({ page, slips: slips(name, page) })).sort((a, b) => a.slips - b.slips)[0];
    if (near.slips <= maximumSlips) return `/${near.page}`;
    const isHost = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name) && !/\.(html|php|js|json|txt|xml|css|png|ico)$/.test(name);
    return isHost && slug ? domainAddress(slug, name) : null;
}

function showGuess(address) {
    if (!address) return;
    part(main, "guess").hidden = false;
    const link = part(main, "guessed");
    link.href = address.includes("?") ? address : addressWithOrganization(address, slug);
    link.textContent = address === "/" ? "All domains" : decodeURIComponent(address.replace(/\?.*host=/, " "));
}

/** How many letters are missing, added or different (the Levenshtein distance). */
function slips(one, other) {
    let row = [...Array(other.length + 1).keys()];
    for (let i = 1; i <= one.length; i++) {
        const next = [i];
        for (let j = 1; j <= other.length; j++) {
            next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
        }
        row = next;
    }
    return row[other.length];
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
