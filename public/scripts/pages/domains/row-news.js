import { follow } from "../../shared/following/follow.js";
import { NextLook } from "../../shared/following/next-look.js";
import { keepingFocus } from "../../shared/page/focus.js";

/** The most hosts of a request. */
const most = 50;
/** The milliseconds between two requests while many domains change. */
const calm = 2_000;

/** Keeps the rows up to date while the page is open: after events about their hosts, and until they are checked. */
export async function followRows({ api, place }, list, root) {
    const changed = new Set();
    const nextLook = new NextLook();
    const show = async () => {
        const shown = new Set(list.table.hosts);
        const waiting = [...new Set([...changed, ...list.table.unchecked])].filter((host) => shown.has(host));
        const hosts = waiting.slice(0, most);
        for (const host of changed) if (!shown.has(host) || hosts.includes(host)) changed.delete(host);
        if (!hosts.length) return 0;
        const { items } = (await api.get("/domains", { query: { host: hosts, limit: most } })).body;
        keepingFocus(root, () => items.forEach((domain) => list.table.update(domain)));
        await list.updateCounts();
        return changed.size ? calm : nextLook.after(list.table.unchecked.length ? list.table.unchecked : null);
    };
    const concerns = ({ host }) => host !== null && Boolean(changed.add(host));
    follow(api, { place: await place, concerns, show, failed: () => {} });
}
