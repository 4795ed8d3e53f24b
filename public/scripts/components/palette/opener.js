import { announce } from "../announce.js";
import { later, soon } from "../later.js";
import { words } from "../../shared/api/problem.js";
import { keyElements, registerKeys } from "../keys/keys.js";

const keys = "Mod+K";

/** Opens the finder with a button or a key. Its code is loaded only then, or when the pointer is on the button. */
export function offerPalette(button, session) {
    const load = () => later(() => import("./palette.js"), "palette");
    const open = async () => {
        try {
            (await load()).openPalette(session);
        } catch (error) {
            announce(words(error));
        }
    };
    button.querySelector(".keys").replaceWith(keyElements(keys));
    button.addEventListener("pointerenter", () => soon(load), { once: true });
    button.addEventListener("click", open);
    registerKeys([{ keys, words: "Find domains, apps, pages and actions", run: open, whileTyping: true }], "Everywhere");
}
