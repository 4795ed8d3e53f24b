import { all } from "./api.js";

/** The most hosts that a request of the API can name. */
const maximumNamed = 50;

/** The labels of each host. */
export async function labelsOf(api, hosts) {
    const labels = new Map();
    for (let start = 0; start < hosts.length; start += maximumNamed) {
        const domains = await all(api, "/domains", { query: { host: hosts.slice(start, start + maximumNamed) } });
        for (const { host, labels: own } of domains) labels.set(host, own);
    }
    return labels;
}
