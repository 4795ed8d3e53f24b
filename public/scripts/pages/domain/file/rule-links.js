import { entriesOfDetails, ruleAt } from "../../../shared/words/places.js";
import { part } from "../../../shared/page/template.js";

/**
 * Links the rules with their lines in the file: pointing at one marks the other, with the mouse or by the focus, and a
 * click on a line moves the focus to its rule.
 */
export function linkRules({ main, document }, rules, file) {
    const editor = part(main, "rules");
    const panel = part(main, "file");

    const pointAtRule = (row, follows) => {
        file.lines.link(row ? pointersOf(row.dataset.key ?? row.dataset.new, document.shown.draft) : [], { follows });
    };
    editor.addEventListener("pointerover", ({ target }) => pointAtRule(target.closest(".rule"), false));
    editor.addEventListener("pointerleave", () => pointAtRule(null, false));
    editor.addEventListener("focusin", ({ target }) => pointAtRule(target.closest(".rule"), true));

    const ruleOf = (pointer) => ruleAt(pointer, document.shown.draft)?.id;
    const pointAtLine = (pointer) => rules.link([ruleOf(pointer)].filter(Boolean));
    const pointerOf = (target) => target.closest(".code-line")?.dataset.pointer;
    panel.addEventListener("pointerover", ({ target }) => pointAtLine(pointerOf(target)));
    panel.addEventListener("pointerleave", () => rules.link([]));
    panel.addEventListener("click", ({ target }) => {
        const id = getSelection().isCollapsed && ruleOf(pointerOf(target));
        if (id) rules.showRule(id);
    });
    panel.addEventListener("selectionchange", () => pointAtLine(file.caretPointer));

    // The user may have been here before these links.
    const row = editor.querySelector(".rule:is(:hover, :focus-within)");
    if (row) pointAtRule(row, false);
    const line = panel.querySelector(".code-line:hover");
    if (line) pointAtLine(pointerOf(line));
}

/** The places of a rule in the file: for iOS 9, one for each app of its entry. */
function pointersOf(id, draft) {
    return entriesOfDetails(draft).flatMap(({ rules }, element) => {
        const position = (rules ?? []).findIndex((rule) => rule.id === id);
        return position < 0 ? [] : [`/applinks/details/${element}/components/${position}`];
    });
}
