import { part } from "./template.js";

/**
 * Redraws a part of the page and keeps the keyboard focus: it moves to the control of the same name in the item of the
 * same `data-key`.
 */
export function keepingFocus(root, draw) {
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    const name = focused?.dataset.part;
    const key = focused?.closest("[data-key]")?.dataset.key;
    draw();
    if (!focused || !name || focused.isConnected) return focused?.isConnected && focused.focus();
    const thing = key && root.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (thing) part(thing, name)?.focus();
}

/**
 * Moves the focus after an item was removed from a list: to the control `name` of the item now at `index`, or of the
 * last item. If the list is empty or the control is hidden, the first visible element of `others` gets the focus.
 */
export function focusNeighbour(items, index, name, ...others) {
    const neighbour = items[index] ?? items[items.length - 1];
    const control = neighbour && part(neighbour, name);
    [control, ...others].find((each) => each?.checkVisibility())?.focus();
}

/** Moves the focus to the control `name` of the item with `data-key` `key`, if it exists. */
export function focusKey(root, key, name) {
    root.querySelector(`[data-key="${CSS.escape(key)}"] [data-part="${CSS.escape(name)}"]`)?.focus();
}
