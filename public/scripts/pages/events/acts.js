/** The longest time, in milliseconds, between two edits that count as one act. */
const longestPause = 600_000;

/**
 * Groups events, newest first, into acts: `{ key, events }`, the act with the newest event first. An act is a release,
 * a publication, a run, a replacement, a withdrawal or a freeze with all its events; the edits of one user to one
 * domain without a long pause or a publication between; or the changes of one request.
 */
export function actsOf(events) {
    const acts = new Acts();
    for (const event of events) acts.addNamed(event);
    for (const event of events) acts.add(event);
    return acts.list;
}

class Acts {
    #named = new Map();
    #ofMoments = new Map();
    #ofVersions = new Map();
    #edits = new Map();

    list = [];

    /** Notes an event that names its act. Others join it later. */
    addNamed(event) {
        const name = nameOf(event);
        if (!name) return;
        if (!this.#named.has(name)) this.#named.set(name, { key: name, events: [] });
        const act = this.#named.get(name);
        this.#ofMoments.set(momentOf(event), act);
        // The oldest publication of a version has made it; later ones roll back to it.
        if (event.host && event.detail.version) this.#ofVersions.set(`${event.host} ${event.detail.version}`, act);
    }

    add(event) {
        const act = this.#actOf(event);
        if (!act.events.length) this.list.push(act);
        act.events.push(event);
        if (nameOf(event)) this.#edits.delete(event.host);
    }

    #actOf(event) {
        const name = nameOf(event);
        if (name) return this.#named.get(name);
        if (event.kind === "version.created") {
            const made = this.#ofVersions.get(`${event.host} ${event.detail.version}`);
            if (made) return made;
        }
        const moment = momentOf(event);
        const known = this.#ofMoments.get(moment) ?? this.#openEdits(event);
        const act = known ?? { key: `event ${event.position}`, events: [] };
        this.#ofMoments.set(moment, act);
        if (editsOf(event)) this.#noteEdits(event, act);
        return act;
    }

    #openEdits(event) {
        const act = this.#edits.get(event.host)?.get(editsOf(event));
        return act && new Date(act.events.at(-1).at) - new Date(event.at) <= longestPause ? act : null;
    }

    #noteEdits(event, act) {
        if (!this.#edits.has(event.host)) this.#edits.set(event.host, new Map());
        this.#edits.get(event.host).set(editsOf(event), act);
    }
}

/** The name of the act that the event belongs to, or null. */
function nameOf({ kind, subject, act, detail }) {
    if (act) return act.replace(":", " ");
    if (kind.startsWith("release.")) return `release ${subject}`;
    const thing = things.find((each) => detail[each]);
    return thing ? `${thing} ${detail[thing]}` : null;
}

const things = ["release", "replacement", "run", "publication", "withdrawal", "freeze"];

function momentOf({ at, actor }) {
    return `${at} ${actor.name}`;
}

/** What an edit is part of: the draft or the tests, by one user. Null for other events. */
function editsOf({ kind, host, actor }) {
    const [thing] = kind.split(".");
    const part = { draft: "draft", rule: "draft", test: "tests", tests: "tests" }[thing];
    return host && part ? `${part} ${actor.name}` : null;
}
