import { announce } from "../../../components/announce.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { offerDiscarding } from "../draft/draft-reset.js";
import { FileView } from "../file/file-view.js";
import { soon } from "../../../components/later.js";
import { showFindingLinks } from "./finding-links.js";
import { forms } from "./later-forms.js";
import { RulesEditor } from "./rules-editor.js";

/** The part "Rules", with the generated file beside it. Returns both. */
export function openPart(page) {
    const rules = new RulesEditor(page);
    const file = new FileView(page);
    let isLinked = false;
    const link = async () => {
        const { linkRules } = await forms();
        if (!isLinked) linkRules(page, rules, file);
        isLinked = true;
    };
    // When the user comes near, before the first click.
    for (const root of [part(page.main, "rules"), part(page.main, "file")]) {
        for (const event of ["pointerenter", "focusin"]) root.addEventListener(event, () => soon(link), { once: true });
    }
    file.addEventListener("findings", ({ detail }) => {
        rules.showFindings(detail);
        showFindingLinks(part(page.main, "rules"), detail, page.document.draft);
        isChecked = true;
        showError();
    });
    // The worst finding has the first link.
    let isChecked = false;
    const showError = () => {
        if (!isChecked || location.hash !== "#errors") return;
        const link = part(page.main, "finding-list").querySelector("a");
        if (link) link.click();
        // Otherwise a later finding would take the focus.
        else history.replaceState(history.state, "", location.href.split("#")[0]);
    };
    addEventListener("hashchange", showError);
    page.tester.follow((verdict) => {
        rules.showVerdict(verdict);
        file.showVerdict(verdict);
    });
    offerDiscarding(page, (error) => announce(words(error)));
    const showChanged = () => (part(page.main, "discard-changes").hidden = !page.head.isChanged);
    page.head.addEventListener("change", showChanged);
    showChanged();
    page.edits.push(() => rules.isTypedIn || rules.isDragging || file.isTypedIn);
    return { rules, file, updates: {} };
}
