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
