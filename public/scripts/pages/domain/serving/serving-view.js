import { showMoment } from "../../../shared/times/moments.js";
import { number } from "../../../shared/words/numbers.js";
import { words } from "../../../shared/api/problem.js";
import { clone, fill, part } from "../../../shared/page/template.js";
import { reachOfSinks, sinkItems } from "../../../components/sinks.js";

const clients = { appleCDN: "Apple’s CDN", device: "A device", other: "Another client" };

/** Which edges, directories and buckets serve the live file, and the fetches. */
export class ServingView {
    #page;
    #root;

    constructor(page) {
        this.#page = page;
        this.#root = part(page.main, "serving");
        page.serving.addEventListener("change", () => this.#show());
        this.#show();
    }

    #show() {
        const { latest, problem } = this.#page.serving;
        fill(this.#root, { problem: problem && words(problem) });
        if (latest) this.#fill(latest);
    }

    #fill(serving) {
        const { live, fetches } = serving;
        fill(this.#root, { headline: reachOfSinks(serving) });
        part(this.#root, "sinks").replaceChildren(...sinkItems(serving));
        part(this.#root, "fetches").replaceChildren(...fetches.map(fetchItem));
        part(this.#root, "fetched").hidden = !live && fetches.length === 0;
        part(this.#root, "no-fetches").hidden = fetches.length > 0;
    }
}

function fetchItem({ version, client, count, lastAt }) {
    const times = count === 1 ? "once" : `${number(count)} times`;
    const item = clone("fetch", { what: `${clients[client]}: version ${version}, ${times}` });
    showMoment(part(item, "last"), lastAt);
    return item;
}
