import { keyElements, registerKeys } from "../keys/keys.js";

const keys = "Mod+K";

/** Opens the finder with a button or a key. Its code is loaded only then, or when the pointer is on the button. */
export function offerPalette(button, session) {
    const load = () => import("./palette.js");
    const open = async () => (await load()).openPalette(session);
    button.querySelector(".keys").replaceWith(keyElements(keys));
    button.addEventListener("pointerenter", load, { once: true });
    button.addEventListener("click", open);
    registerKeys([{ keys, words: "Find domains, apps, pages and actions", run: open, whileTyping: true }], "Everywhere");
}
