/**
 * Markup is in the page's `<template>` elements. Scripts copy it and fill it in with `textContent`, so user input is
 * never parsed as HTML.
 */

/** A copy of `<template id="template-NAME">`, its parts filled with the given texts. */
export function clone(name, texts = {}) {
    const template = document.getElementById(`template-${name}`);
    return fill(template.content.firstElementChild.cloneNode(true), texts);
}

/** The element inside `root` (or `root` itself) that is marked `data-part="NAME"`. */
export function part(root, name) {
    const selector = `[data-part="${name}"]`;
    return root.matches?.(selector) ? root : root.querySelector(selector);
}

/** Puts a text into each named part, and a host into `host`. `null` hides a part, so that nothing empty takes up room. */
export function fill(root, texts) {
    for (const [name, text] of Object.entries(texts)) {
        const element = part(root, name);
        element.hidden = text === null || text === undefined || text === "";
        if (element.hidden) continue;
        if (name === "host") showHost(element, text);
        else element.textContent = text;
    }
    return root;
}

/** Shows a host, or a text with one. If it is longer than the line, it breaks after its dots. A copy of it stays pure. */
export function showHost(element, text) {
    const labels = text.split(/(?<=\.)(?=\S)/);
    element.replaceChildren(...labels.flatMap((label, index) => (index ? [document.createElement("wbr"), label] : [label])));
}

/** Names a part for assistive technology if its visible content is an icon or too short. */
export function label(root, name, text) {
    const element = part(root, name);
    element.setAttribute("aria-label", text);
    element.title = text;
    return element;
}

const references = ["for", "list", "aria-controls", "aria-labelledby", "aria-describedby"];

/** Numbers every id in a copy, and the references to it, so that two copies on a page never share an id. */
export function uniqueIDs(root) {
    const number = ++lastNumber;
    for (const element of [root, ...root.querySelectorAll("*")]) {
        if (element.id) element.id += `-${number}`;
        for (const name of references) {
            const ids = element.getAttribute(name)?.split(" ");
            if (ids) element.setAttribute(name, ids.map((id) => `${id}-${number}`).join(" "));
        }
    }
    return root;
}

let lastNumber = 0;
