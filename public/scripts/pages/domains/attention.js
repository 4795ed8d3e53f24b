import { domainAddress, domainsAddress } from "../../shared/page/addresses.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { atMost } from "../../shared/words/numbers.js";
import { problemsOf } from "./problem-kinds.js";

const maximumShown = 5;

/** Asks for the domains with the worst problems. */
export async function troubledDomains(api, signal) {
    const query = { problem: "any", sort: "problems", limit: maximumShown };
    return (await api.get("/domains", { query, signal })).body.items;
}

/** Shows above the list what needs attention, with the next step for each domain; or that all is well. */
export function showAttention(main, organization, domains, { problems, matching, limit }) {
    const items = domains.map((domain) => attentionItem(domain, organization)).filter(Boolean);
    part(main, "attention").hidden = items.length === 0;
    part(main, "attention-list").replaceChildren(...items);
    part(main, "attention-more").hidden = problems.any <= items.length;
    part(main, "attention-all").textContent = `Show all ${atMost(problems.any, limit)} domains with problems`;
    part(main, "attention-all").href = domainsAddress(organization.slug, { problem: "any", sort: "problems" });
    fill(main, { "all-fine": matching && !problems.any ? fineWords(matching, limit) : null });
}

export function hideAttention(main) {
    part(main, "attention").hidden = part(main, "all-fine").hidden = true;
}

function attentionItem(domain, organization) {
    const [worst, ...others] = problemsOf(domain);
    if (!worst) return null;
    const item = clone("attention-item", { host: domain.unicodeHost, action: worst.action });
    part(item, "words").textContent = [worst, ...others].map(({ sentence }) => sentence).join(" · ");
    item.dataset.tone = worst.tone;
    part(item, "host").title = domain.unicodeHost;
    part(item, "host").href = domainAddress(organization.slug, domain.host);
    part(item, "action").href = worst.address(organization.slug, domain);
    part(item, "action").setAttribute("aria-label", `${worst.action}: ${domain.unicodeHost}`);
    return item;
}

function fineWords(total, limit) {
    return total === 1 ? "Your domain is fine." : `All ${atMost(total, limit)} domains are fine.`;
}
