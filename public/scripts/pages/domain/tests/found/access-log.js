/** `"GET /path HTTP/1.1" 200` in the common and combined formats of nginx and Apache. */
const request = /"([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?"(?: (\d{3}))?/;
/** The host that Apache's `vhost_combined` puts first: `www.example.com:443 203.0.113.7 …`. */
const namedHost = /^([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*):\d+ /i;

export function isLogLine(line) {
    return request.test(line) || /^#(Version|Fields|Software):/i.test(line);
}

/** Reads an access log line by line: combined, or with named fields (W3C), as CloudFront's. */
export class AccessLog {
    #found;
    #fields = null;

    constructor(found) {
        this.#found = found;
    }

    take(line) {
        if (line.startsWith("#")) return this.#readFields(line);
        if (line.trim() === "") return;
        const read = this.#fields ? this.#named(line) : combined(line);
        if (!read) return this.#found.leave("unreadable");
        const { method, target, status, host } = read;
        if (method !== "GET" && method !== "HEAD") return this.#found.leave("methods");
        if (status && !/^[23]/.test(status)) return this.#found.leave("failed");
        this.#found.take(target, host);
    }

    #readFields(line) {
        const [, names] = /^#Fields:\s*(.*)$/i.exec(line) ?? [];
        if (names) this.#fields = names.trim().split(/\s+/);
    }

    #named(line) {
        const cells = line.split(line.includes("\t") ? "\t" : " ");
        const cell = (name) => cells[this.#fields.indexOf(name)];
        const [stem, query] = [cell("cs-uri-stem"), cell("cs-uri-query")];
        if (!stem) return null;
        const target = query && query !== "-" ? `${stem}?${query}` : stem;
        // `cs(Host)` of CloudFront is the name of the distribution.
        const named = cell("x-host-header")?.replace(/:\d+$/, "").toLowerCase();
        const host = named === "-" ? undefined : named;
        return { method: cell("cs-method") ?? "GET", target, status: cell("sc-status"), host };
    }
}

function combined(line) {
    const [, method, target, status] = request.exec(line) ?? [];
    return method ? { method, target, status, host: namedHost.exec(line)?.[1].toLowerCase() } : null;
}
