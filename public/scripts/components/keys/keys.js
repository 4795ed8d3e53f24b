import { words } from "../../shared/api/problem.js";
import { announce } from "../announce.js";
import { later } from "../later.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const names = {
    ...(isMac ? { Mod: "⌘", Alt: "⌥", Shift: "⇧" } : { Mod: "Ctrl" }),
    ...{ ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" },
};
const setting = "waymark-character-keys";

/** The registered keys: `{ keys, words, group, run, whileTyping }`. */
const registered = new Set();

/**
 * Registers keys of this page. The dialog that `?` opens lists them, below the name of their group.
 *
 *     registerKeys([{ keys: "Mod+Z", words: "Undo the last change", run: () => edits.undo() }], "Rules");
 *     registerKeys([{ keys: ["ArrowUp", "ArrowDown"], words: "Go to another rule" }], "Rules");
 *
 * `keys` is a combination, or a list of alternatives. A combination ends with the name of a key as in
 * `KeyboardEvent.key`: "Mod+K", "Alt+ArrowUp", "/". `Mod` is ⌘ on a Mac, otherwise Ctrl.
 *
 * With `run`, the key calls it anywhere on the page, except while a dialog is open, or while the user types in a field
 * (unless `whileTyping`). Without `run`, the key is only listed, and your module handles it.
 *
 * Returns a function that removes these keys.
 */
export function registerKeys(keys, group = "This page") {
    const added = keys.map((key) => ({ whileTyping: false, ...key, keys: [key.keys].flat(), group }));
    for (const key of added) registered.add(key);
    return () => added.forEach((key) => registered.delete(key));
}

/** All keys by group: `Map<string, [{ keys, words }]>`. */
export function keysByGroup() {
    return Map.groupBy(registered, ({ group }) => group);
}

/** ["Ctrl", "K"] */
function keyNames(combination) {
    return combination.split("+").map((name) => names[name] ?? (name.length === 1 ? name.toUpperCase() : name));
}

/** A combination as it is printed on the keyboard. */
export function keyElements(combination) {
    const keys = document.createElement("span");
    keys.className = "keys";
    for (const name of keyNames(combination)) {
        const key = document.createElement("kbd");
        key.textContent = name;
        keys.append(key);
    }
    return keys;
}

/** Whether keys of a single character work. Speech input can trigger them, so users can turn them off (WCAG 2.1.4). */
export const characterKeys = {
    get areOn() {
        return localStorage.getItem(setting) !== "off";
    },
    set areOn(on) {
        if (on) localStorage.removeItem(setting);
        else localStorage.setItem(setting, "off");
    },
};

/** Opens the dialog that lists the keys. It is loaded only then. */
export async function showKeys() {
    try {
        const { openKeys } = await later(() => import("./keys-dialog.js"), "palette");
        openKeys();
    } catch (error) {
        announce(words(error));
    }
}

function matches(event, combination) {
    const parts = combination.split("+");
    const key = parts.pop();
    const [mod, other] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
    const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase();
    return (
        event.key.toLowerCase() === key.toLowerCase() &&
        mod === parts.includes("Mod") &&
        !other &&
        event.altKey === parts.includes("Alt") &&
        (isSign || event.shiftKey === parts.includes("Shift"))
    );
}

function isTyping({ target }) {
    return target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}

document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog:modal")) return;
    const wanted = [...registered].reverse().find(({ keys, run }) => run && keys.some((each) => matches(event, each)));
    if (!wanted || (isTyping(event) && !wanted.whileTyping)) return;
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && !characterKeys.areOn) return;
    event.preventDefault();
    wanted.run(event);
});

registerKeys([{ keys: "?", words: "Show the keys of this page", run: showKeys }], "Everywhere");
