import { Problem } from "./problem.js";

/**
 * The HTTP API. Every method returns `{ body, etag, status }` or throws a `Problem`.
 *
 * Each request names the organization, which comes from the page's address, so that two tabs with two organizations
 * never mix.
 */
export class Api {
    static #confirm = null;
    static #confirming = null;

    #organization;

    constructor(organization = null) {
        this.#organization = organization;
    }

    /**
     * Changes of who has access need a recent confirmation. `confirm` asks the user for it, and resolves to whether they
     * confirmed. The request is then sent again, so its page notices nothing.
     */
    static confirmsBy(confirm) {
        Api.#confirm = confirm;
    }

    get(path, options) {
        return this.#send("GET", path, options);
    }

    post(path, json, options) {
        return this.#send("POST", path, { json, ...options });
    }

    put(path, json, options) {
        return this.#send("PUT", path, { json, ...options });
    }

    patch(path, json, options) {
        return this.#send("PATCH", path, { json, ...options });
    }

    delete(path, options) {
        return this.#send("DELETE", path, options);
    }

    async #send(method, path, options) {
        try {
            return await this.#sendOnce(method, path, options);
        } catch (problem) {
            if (problem.code !== "confirmation_required" || !Api.#confirm) throw problem;
            // Several requests at the same time ask once.
            Api.#confirming ??= Api.#confirm().finally(() => (Api.#confirming = null));
            if (!(await Api.#confirming)) throw problem;
            return this.#sendOnce(method, path, options);
        }
    }

    async #sendOnce(method, path, { query, json, bytes, asText, ifMatch, ifNoneMatch, signal } = {}) {
        const headers = new Headers({ Accept: "application/json" });
        if (this.#organization) headers.set("Waymark-Organization", this.#organization);
        if (ifMatch) headers.set("If-Match", ifMatch);
        if (ifNoneMatch) headers.set("If-None-Match", ifNoneMatch);
        if (json !== undefined || bytes !== undefined) headers.set("Content-Type", "application/json");

        const body = bytes ?? (json === undefined ? undefined : JSON.stringify(json));
        const url = `/v1${path}${queryString(query)}`;
        const response = await reach(url, { method, headers, body, signal, cache: "no-store" });
        if (!response.ok && response.status !== 304) throw await Problem.from(response);
        return { status: response.status, etag: response.headers.get("ETag"), body: await content(response, asText) };
    }
}

/** A path with every inserted value escaped: at`/domains/${host}/draft`. */
export function at(literals, ...values) {
    return String.raw({ raw: literals }, ...values.map(encodeURIComponent));
}

/** All items of a list, page by page, but at most `limit`. */
export async function all(api, path, { query = {}, limit = 2_000 } = {}) {
    const items = [];
    let cursor = null;
    do {
        const { body } = await api.get(path, { query: { ...query, limit: 200, cursor } });
        items.push(...body.items);
        cursor = body.next;
    } while (cursor && items.length < limit);
    return items;
}

/** `fetch`, but throws a `Problem` if there is no answer. */
async function reach(url, request) {
    try {
        return await fetch(url, request);
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw Problem.unreachable();
    }
}

/** Files stay text, not parsed JSON: their exact bytes are published and shown. */
async function content(response, asText) {
    if (response.status === 204 || response.status === 304) return null;
    if (asText || new URL(response.url).pathname.endsWith("/file")) return response.text();
    return response.json();
}

/** "?name=value" for the given values: lists repeat the name, and empty values are left out. */
export function queryString(query = {}) {
    const given = Object.entries(query)
        .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
        .filter(([, value]) => value !== null && value !== undefined && value !== "");
    return given.length ? `?${new URLSearchParams(given)}` : "";
}
