import { Problem } from "../shared/api/problem.js";

/** The names of the pieces that the page has, or that are on their way. */
const pieces = new Map(
    document.querySelector("meta[name=pieces]")?.content.split(" ").map((name) => [name, Promise.resolve()]),
);

/**
 * Loads a script of this page when it is first needed, together with the pieces that it uses. `script` imports it. Returns
 * the module. Throws a `Problem` if the server does not answer. Another call then tries again.
 */
export async function later(script, ...names) {
    try {
        const [module] = await Promise.all([script(), ...names.map(withPiece)]);
        return module;
    } catch (error) {
        // Browsers reject a script that does not arrive with a TypeError.
        throw error instanceof TypeError ? Problem.unreachable() : error;
    }
}

/** Loads in advance what the next click may need. A failure shows at that click. */
export function soon(load) {
    load().catch(() => {});
}

/**
 * Adds a piece of the page: styles, templates and elements that the first document does not have. It is a document of
 * `pieces/`. Its `<meta name="pieces">` tells which pieces a page has from the start.
 */
export function withPiece(name) {
    if (!pieces.has(name)) {
        const adding = add(name);
        pieces.set(name, adding);
        adding.catch(() => pieces.delete(name));
    }
    return pieces.get(name);
}

async function add(name) {
    const response = await fetch(`/pieces/${name}`);
    if (!response.ok) throw await Problem.from(response);
    const { head, body } = new DOMParser().parseFromString(await response.text(), "text/html");
    await Promise.all([...head.querySelectorAll("link")].map(styled));
    for (const template of [...head.querySelectorAll("template"), ...body.querySelectorAll(":scope > template")]) {
        if (!document.getElementById(template.id)) document.body.append(template);
    }
    for (const place of body.querySelectorAll(":scope > [data-part]")) {
        document.querySelector(`#main [data-part="${place.dataset.part}"]`).append(...place.children);
    }
}

/** Adds a stylesheet, and waits for it, so that nothing appears without its style. */
function styled(link) {
    return new Promise((resolve, reject) => {
        link.addEventListener("load", resolve);
        link.addEventListener("error", () => (link.remove(), reject(Problem.unreachable())));
        document.head.append(link);
    });
}
