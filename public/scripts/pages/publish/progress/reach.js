import { domainAddress } from "../../../shared/page/addresses.js";
import { at } from "../../../shared/api/api.js";
import { pause, untilVisible } from "../../../shared/following/later.js";
import { reachOfSinks, sinkItems, sinks } from "../../../components/sinks.js";
import { part } from "../../../shared/page/template.js";

/** The shortest and longest time between two updates, in milliseconds. */
const firstLook = 500;
const longestLook = 30_000;

/**
 * Shows which edges, directories and buckets have the version, until all have it, less often each time. Only edges report
 * who fetched the file, so without others the page can also say that no client has fetched it.
 */
export async function followReach({ api, host, main, session }, { version }) {
    const root = part(main, "progress");
    part(root, "connect").href = `${domainAddress(session.organization.slug, host, "serving")}#handover`;
    for (let look = firstLook; ; look = Math.min(1.5 * look, longestLook)) {
        const { body } = await api.get(at`/domains/${host}/serving`);
        // Another version may be live by now.
        if (body.live?.version !== version) return;
        const all = sinks(body);
        const isReached = all.length > 0 && all.every(({ isLate }) => !isLate);
        root.dataset.reached = isReached;
        part(root, "unfetched").hidden = body.fetches.length > 0 || !all.every(({ kind }) => kind === "edge");
        part(root, "step-reached").textContent = isReached ? reachOfSinks(body) : "On the edge";
        part(root, "reached").replaceChildren(...sinkItems(body));
        if (isReached || all.length === 0) return;
        await pause(look);
        await untilVisible();
    }
}
