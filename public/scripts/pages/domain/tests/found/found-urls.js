import { hostOf, pathOf } from "./paths.js";

/** The most different URLs that are offered, and that are counted before the rare ones are dropped. */
export const maximumOffered = 10_000;
const maximumCounted = 200_000;
/** The longest URL of a test, in bytes. */
const longestURL = 2_048;

const assets = [
    "css m?js map json xml txt wasm webmanifest png jpe?g gif svg webp avif ico bmp",
    "woff2? ttf otf eot mp[34] webm ogg mov pdf zip gz",
];
const asset = new RegExp(`\\.(${assets.join(" ").replaceAll(" ", "|")})$|^/\\.well-known/`, "i");

/** A file that cannot be used. The message is for users. `sitemaps` are the addresses that an index lists. */
export class FileProblem extends Error {
    sitemaps = [];
}

/**
 * Counts the URLs of one host. Of query strings only the items in `kept` (a set of names, or `null` for all) stay:
 * other items change no result, and often hold what should not leave the browser.
 */
export class FoundURLs {
    #host;
    #kept;
    #counts = new Map();
    taken = 0;
    leftOut = { hosts: 0, failed: 0, methods: 0, unreadable: 0, long: 0, rare: 0 };

    constructor(host, kept) {
        this.#host = host;
        this.#kept = kept;
    }

    /** Takes a target: an absolute URL, or a path of `host` (unknown: this host). */
    take(target, host = hostOf(target)) {
        if (host && host !== this.#host) return this.leave("hosts");
        const path = pathOf(target, this.#kept);
        if (path === null) return this.leave("unreadable");
        if (path.length > longestURL) return this.leave("long");
        const before = this.#counts.get(path);
        if (before === undefined && this.#counts.size >= maximumCounted) return this.leave("rare");
        this.#counts.set(path, (before ?? 0) + 1);
        this.taken += 1;
    }

    leave(reason) {
        this.leftOut[reason] += 1;
    }

    get size() {
        return this.#counts.size;
    }

    /** `[{ path, count, isAsset }]`, the most frequent first and assets last, at most 10,000. */
    get items() {
        const all = [...this.#counts].map(([path, count]) => ({ path, count, isAsset: isAsset(path) }));
        all.sort((one, other) => one.isAsset - other.isAsset || other.count - one.count);
        return all.slice(0, maximumOffered);
    }
}

function isAsset(path) {
    return asset.test(path.replace(/[?#].*$/s, ""));
}
