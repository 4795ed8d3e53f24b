import { keyElements } from "../../../../components/keys/keys.js";
import { clone, part } from "../../../../shared/page/template.js";

/**
 * The menu of a rule. The arrow keys move in it; Escape, Tab and a click elsewhere close it. `choose` gets the name of
 * the chosen action.
 */
export function openRuleMenu(button, { canMove, wouldExclude }, choose) {
    const menu = clone("rule-menu");
    const items = [...menu.querySelectorAll("[role=menuitem]")];
    for (const item of items) item.append(keyElements(item.dataset.keys));
    part(menu, "exclude-words").textContent = wouldExclude ? "Keep on the web" : "Open the app";
    for (const [name, isPossible] of Object.entries(canMove)) part(menu, name).ariaDisabled = String(!isPossible);
    const closing = new AbortController();

    const close = ({ focus = true } = {}) => {
        closing.abort();
        menu.remove();
        button.ariaExpanded = "false";
        if (focus) button.focus();
    };
    const move = (index) => items.at(index % items.length).focus();

    menu.addEventListener("click", ({ target }) => {
        const item = target.closest("[role=menuitem]");
        if (!item || item.ariaDisabled === "true") return;
        close();
        choose(item.dataset.part);
    });
    menu.addEventListener("keydown", (event) => {
        const at = items.indexOf(document.activeElement);
        const keys = {
            ArrowDown: () => move(at + 1),
            ArrowUp: () => move(at - 1),
            Home: () => move(0),
            End: () => move(-1),
            Escape: () => close(),
            Tab: () => close(),
        };
        if (!keys[event.key]) return;
        event.preventDefault();
        keys[event.key]();
    });
    const outside = ({ target }) => !menu.contains(target) && !button.contains(target) && close({ focus: false });
    document.addEventListener("pointerdown", outside, { signal: closing.signal });

    button.ariaExpanded = "true";
    button.after(menu);
    menu.scrollIntoView({ block: "nearest" });
    move(0);
}
