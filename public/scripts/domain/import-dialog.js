import { announce } from "../announce.js";
import { all } from "../api.js";
import { openDialog } from "../dialogs.js";
import { onSubmit } from "../form.js";
import { count, list } from "../numbers.js";
import { clone, part } from "../template.js";
import { applyOrAsk } from "./conflict.js";
import { importFile, replaceDraft } from "./edits.js";
import { takesDroppedFile } from "./file-drop.js";

const actions = { kept: "Kept", changed: "Changed", dropped: "Dropped" };

/** Importing an existing file into the draft, by pasting, choosing or dropping it; then what became of it. */
export function offerImport(page) {
    for (const button of page.main.querySelectorAll("[data-imports]")) {
        button.addEventListener("click", () => openImport(page));
    }
}

function openImport(page) {
    const { dialog, part } = openDialog("import");
    const form = part("form");
    part("replaces").hidden = page.document.draft.entries.length === 0;
    takesDroppedFile(part("drop"), part("choose"), (bytes) => {
        form.elements.file.value = new TextDecoder().decode(bytes);
        form.elements.file.focus();
    });
    onSubmit(form, async () => {
        const former = structuredClone(page.document.draft);
        let report;
        const edit = async (draftDocument) => {
            const bytes = new TextEncoder().encode(form.elements.file.value);
            ({ report } = (await importFile(bytes, form.elements.register.checked)(draftDocument)).body);
        };
        await importAndLearnNames(page, edit, form).catch(withPlace);
        if (!report) return dialog.close();
        form.hidden = true;
        showReport(part("result"), report);
        part("undo").addEventListener("click", () => takeBack(page, former, dialog));
    });
}

/** Registered apps are shown by name at once: their names are fetched before the draft is drawn again. */
async function importAndLearnNames(page, edit, form) {
    const importing = async (draftDocument) => {
        await edit(draftDocument);
        page.apps.add(await all(page.api, "/apps"));
    };
    return applyOrAsk(page.document, importing, form);
}

/** A file that cannot be read at all says where. */
function withPlace(problem) {
    const { line, column } = problem.rest ?? {};
    if (line) problem.detail = `Line ${line}, column ${column}: ${problem.detail}`;
    throw problem;
}

function showReport(root, { items, registeredApps, unregisteredApps }) {
    root.hidden = false;
    part(root, "summary").textContent = summary(items);
    part(root, "registered").hidden = registeredApps.length === 0;
    part(root, "registered").textContent = `Registered: ${list(registeredApps)}.`;
    part(root, "unregistered").hidden = unregisteredApps.length === 0;
    part(root, "unregistered").textContent = `Not in the registry: ${list(unregisteredApps)}.`;
    part(root, "items").replaceChildren(
        ...items.map(({ pointer, action, detail }) => {
            const texts = { action: actions[action] ?? action, detail, pointer: pointer || "the whole file" };
            const item = clone("import-item", texts);
            item.dataset.action = action;
            return item;
        }),
    );
    root.focus();
}

function summary(items) {
    const said = Object.keys(actions).flatMap((action) => {
        const number = items.filter((item) => item.action === action).length;
        return number ? [`${count(number, "part")} ${action}`] : [];
    });
    return said.length ? `${list(said)}.` : "Everything was kept.";
}

async function takeBack(page, former, dialog) {
    dialog.close();
    const isBack = await applyOrAsk(page.document, replaceDraft(former), part(page.main, "rules"));
    if (isBack) announce("The draft is as it was before the import.");
}
