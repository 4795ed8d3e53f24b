import { releaseAddress } from "../../../shared/page/addresses.js";
import { at } from "../../../shared/api/api.js";
import { showMoment } from "../../../shared/times/moments.js";
import { clone, part } from "../../../shared/page/template.js";
import { bypassWords } from "../../../components/publications/bypass.js";
import { reachWords } from "../../../components/publications/effective-by.js";
import { hasEnded } from "../../../components/publications/publication.js";
import { publicationStates, showState } from "../../../shared/words/states.js";

const shown = 20;

/** The newest publications that have ended, newest ending first. Sends `change` (`detail` lists them). */
export class PublicationList extends EventTarget {
    #page;
    #root;

    constructor(page) {
        super();
        this.#page = page;
        this.#root = part(page.main, "publications");
    }

    async show() {
        const path = at`/domains/${this.#page.host}/publications`;
        const { body } = await this.#page.api.get(path, { query: { limit: shown } });
        const ended = body.items.filter(hasEnded).sort(byEnd);
        this.#root.hidden = ended.length === 0;
        this.#root.open ||= sinceLastLive(ended).some(needsAttention);
        this.dispatchEvent(new CustomEvent("change", { detail: ended }));
        part(this.#root, "list").replaceChildren(...ended.map((each) => row(each, this.#page.session)));
    }
}

function byEnd(one, other) {
    return Date.parse(other.endedAt) - Date.parse(one.endedAt);
}

/** Those that ended after the last one that went live. A scheduled one may have been made long before that. */
function sinceLastLive(ended) {
    const last = ended.findIndex(({ state }) => state === "live");
    return last < 0 ? ended : ended.slice(0, last);
}

/** Failed or suspended: the list is opened, so that the user sees it. */
function needsAttention(publication) {
    return ["failed", "suspended"].includes(publication.state);
}

function row(publication, { organization }) {
    const { version, state, requestedBy, createdAt, endedAt, reason, cause, late, release } = publication;
    const bypass = bypassWords(publication);
    const item = clone("publication", {
        version: `Version ${version}`,
        requester: requestedBy?.name,
        reason: bypass ? null : reason && `“${reason}”`,
        bypass,
        cause,
        reach: reachWords(publication),
    });
    part(item, "reach").classList.toggle("is-late", Boolean(late));
    part(item, "release").hidden = !release;
    if (release) part(item, "release").href = releaseAddress(organization.slug, release);
    showState(part(item, "state"), publicationStates[state]);
    showMoment(part(item, "time"), endedAt ?? createdAt);
    return item;
}
