import { announce } from "../announce.js";
import { later, soon } from "../later.js";
import { words } from "../../shared/api/problem.js";
import { keyElements, registerKeys } from "../keys/keys.js";

const keys = "Mod+K";

/** Opens the finder with a button or a key. Its code is loaded only then, or when the pointer is on the button. */
export function offerPalette(button, session) {
    const load = () => later(() => import("./palette.js"), "palette");
    let isOpening = false;
    const open = async () => {
        if (isOpening) return;
        isOpening = true;
        const typed = typedMeanwhile();
        try {
            const { openPalette } = await load();
            openPalette(session, typed.taken());
        } catch (error) {
            announce(words(error));
        } finally {
            typed.taken();
            isOpening = false;
        }
    };
    button.querySelector(".keys").replaceWith(keyElements(keys));
    button.addEventListener("pointerenter", () => soon(load), { once: true });
    button.addEventListener("click", open);
    registerKeys([{ keys, words: "Find domains, apps, pages and actions", run: open, whileTyping: true }], "Everywhere");
}

/** Keeps the characters that the user types from now on. `taken()` gives them and stops. */
function typedMeanwhile() {
    let text = "";
    const keep = (event) => {
        if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        text += event.key;
    };
    addEventListener("keydown", keep, { capture: true });
    const taken = () => {
        removeEventListener("keydown", keep, { capture: true });
        return text;
    };
    return { taken };
}
