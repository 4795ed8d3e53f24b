const deepest = 64;
const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * The places of the values in JSON text, which may be broken: everything before the error is found. Returns `{ at, ends
 * }`: the `{ start, end }` of each JSON Pointer's value, and the end of the token or value that starts at an offset.
 * Deeper than 64 levels nothing is read.
 */
export function jsonPlaces(text) {
    const reader = new Reader();
    for (const match of text.matchAll(tokens)) {
        if (!reader.take(match[0], match.index)) break;
    }
    return { at: reader.at, ends: reader.ends };
}

class Reader {
    at = new Map();
    ends = new Map();
    #open = [];

    /** Returns false to stop reading. */
    take(token, start) {
        const end = start + token.length;
        if (token === "{" || token === "[") return this.#enter(token, start);
        if (token === "}" || token === "]") this.#leave(end);
        else if (token === ",") this.#separate();
        else if (token !== ":") this.#scalar(token, start, end);
        return true;
    }

    #enter(token, start) {
        const pointer = this.#pointer();
        this.#open.push({ pointer, start, isArray: token === "[", key: token === "[" ? 0 : null });
        return this.#open.length <= deepest;
    }

    #leave(end) {
        const closed = this.#open.pop();
        if (closed) this.#note(closed.pointer, closed.start, end);
    }

    #separate() {
        const container = this.#open.at(-1);
        if (!container) return;
        container.key = container.isArray ? container.key + 1 : null;
    }

    #scalar(token, start, end) {
        const container = this.#open.at(-1);
        if (container && !container.isArray && container.key === null) {
            container.key = keyOf(token);
            this.ends.set(start, end);
        } else {
            this.#note(this.#pointer(), start, end);
        }
    }

    #note(pointer, start, end) {
        if (!this.at.has(pointer)) this.at.set(pointer, { start, end });
        this.ends.set(start, end);
    }

    #pointer() {
        const container = this.#open.at(-1);
        if (!container) return "";
        return `${container.pointer}/${String(container.key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    }
}

function keyOf(token) {
    try {
        return JSON.parse(token);
    } catch {
        return token;
    }
}
