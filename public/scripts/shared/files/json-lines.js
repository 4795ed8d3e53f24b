/**
 * Formats JSON text as lines, token by token. Values are not parsed, so no number, key order or escape changes. Each
 * line has the JSON Pointer of its value.
 *
 * Returns `[{ depth, pointer, parts: [{ kind, text }] }]`; kinds are key, string, literal, punctuation.
 */
export function jsonLines(text) {
    const layout = new Layout();
    const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
    tokens.forEach((token, index) => layout.take(token, tokens[index + 1]));
    return layout.lines.filter(({ parts }) => parts.length);
}

class Layout {
    lines = [];
    #open = [];
    #awaitsKey = false;

    constructor() {
        this.#startLine("");
    }

    take(token, next) {
        if (token === "{" || token === "[") this.#enter(token, next);
        else if (token === "}" || token === "]") this.#leave(token);
        else if (token === ",") this.#separate();
        else if (token === ":") this.#put("punctuation", ": ");
        else if (this.#awaitsKey) this.#takeKey(token);
        else this.#put(token.startsWith('"') ? "string" : "literal", token);
    }

    #enter(token, next) {
        const pointer = this.#pointer();
        this.#put("punctuation", token);
        this.#open.push({ pointer, key: token === "[" ? 0 : null, isArray: token === "[" });
        this.#awaitsKey = token === "{";
        if (next !== "}" && next !== "]") this.#startLine();
    }

    #leave(token) {
        const { pointer } = this.#open.pop() ?? { pointer: "" };
        const isEmpty = this.#line.parts.at(-1)?.text === (token === "}" ? "{" : "[");
        if (!isEmpty) this.#startLine(pointer);
        this.#awaitsKey = false;
        this.#put("punctuation", token);
    }

    #separate() {
        const container = this.#open.at(-1);
        this.#put("punctuation", ",");
        if (container?.isArray) container.key += 1;
        this.#awaitsKey = container?.isArray === false;
        this.#startLine();
    }

    #takeKey(token) {
        this.#open.at(-1).key = keyOf(token);
        this.#awaitsKey = false;
        this.#line.pointer = this.#pointer();
        this.#put("key", token);
    }

    #pointer() {
        const container = this.#open.at(-1);
        if (!container) return "";
        return `${container.pointer}/${String(container.key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    }

    #startLine(pointer = this.#pointer()) {
        this.lines.push({ depth: this.#open.length, pointer, parts: [] });
    }

    #put(kind, text) {
        this.#line.parts.push({ kind, text });
    }

    get #line() {
        return this.lines.at(-1);
    }
}

function keyOf(token) {
    try {
        return JSON.parse(token);
    } catch {
        return token;
    }
}
