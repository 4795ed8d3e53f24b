/**
 * Draws a part of the page anew without losing the place of who works with the keyboard: the focus goes to the control
 * of the same name in the same thing (`data-key`), wherever that thing stands now.
 */
export function keepingFocus(root, draw) {
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    const name = focused?.dataset.part;
    const key = focused?.closest("[data-key]")?.dataset.key;
    draw();
    if (!focused || !name || focused.isConnected) return focused?.isConnected && focused.focus();
    const thing = key && root.querySelector(`[data-key="${CSS.escape(key)}"]`);
    thing?.querySelector(`[data-part="${CSS.escape(name)}"]`)?.focus();
}

/**
 * Gives the focus to what stands in the place of a thing that is gone from a list: the control `name` of the thing that
 * is at `index` now, or else of the last one; if there is none, the first of `others` that can be seen.
 */
export function focusNeighbour(items, index, name, ...others) {
    const neighbour = items[index] ?? items[items.length - 1];
    const control = neighbour?.querySelector(`[data-part="${CSS.escape(name)}"]`);
    [control, ...others].find((each) => each?.checkVisibility())?.focus();
}

/** Gives the focus to the control `name` of the thing whose `data-key` is `key`, if it is there. */
export function focusKey(root, key, name) {
    root.querySelector(`[data-key="${CSS.escape(key)}"] [data-part="${CSS.escape(name)}"]`)?.focus();
}
