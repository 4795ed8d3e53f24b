import { all } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { onSubmit } from "../../../shared/forms/form.js";
import { bytes, count, list } from "../../../shared/words/numbers.js";
import { clone, part } from "../../../shared/page/template.js";
import { AssociationFile } from "../../../shared/files/association-file.js";
import { applyOrAsk } from "./conflict.js";
import { importFile } from "./edits.js";
import { takesDroppedFile } from "../../../components/file-drop.js";

const actions = { kept: "Kept", changed: "Changed", dropped: "Dropped", problem: "Problem" };

/**
 * Imports a file into the draft, by pasting, choosing or dropping it, then shows the report. If the file has apps that
 * are not in the registry, a dry run finds them first, and the form asks whether to register them.
 */
export function openImport(page) {
    const { dialog, part } = openDialog("import");
    const form = part("form");
    part("replaces").hidden = page.document.draft.entries.length === 0;
    const file = chosenFile(form.elements.file, part("binary"));
    const offer = (newApps) => {
        const isAsked = newApps.length > 0;
        part("import").hidden = isAsked;
        part("without").hidden = part("register").hidden = part("new-apps").hidden = !isAsked;
        part("new-apps").textContent = isAsked ? newWords(newApps) : "";
    };
    form.addEventListener("input", () => offer([]));
    takesDroppedFile(part("drop"), part("choose"), (buffer) => file.choose(new Uint8Array(buffer)));
    onSubmit(form, async (values, _, { button }) => {
        let report;
        let newApps = [];
        const edit = async (draftDocument) => {
            const send = async (query) => (await importFile(file.bytes, query)(draftDocument)).body.report;
            if (button === part("import") && mayRegister(page)) {
                newApps = (await send({ register: true, dryRun: true })).registeredApps;
                if (newApps.length) return;
            }
            report = await send(button === part("register") ? { register: true } : {});
        };
        const isDone = await importAndLearnNames(page, edit, form);
        if (!isDone) return dialog.close();
        if (newApps.length) {
            // Nothing is saved yet, so the form still has input.
            form.dispatchEvent(new Event("input"));
            offer(newApps);
            return part("new-apps").focus();
        }
        form.hidden = true;
        showReport(page, dialog, report);
    });
}

function newWords(apps) {
    return `${count(apps.length, "new app")}: ${list(apps)}. Check the IDs, then choose:`;
}

/** A role that is limited to domains cannot register apps. */
function mayRegister({ session }) {
    return session.organization.labels.length === 0;
}

function whoRegisters(page) {
    if (mayRegister(page)) return "";
    return " Your role is limited to domains. An editor, publisher, admin or owner without a limit can register apps.";
}

/** A file that is not text, such as a signed one, is sent unchanged until the text is edited. */
function chosenFile(field, note) {
    let binary = null;
    const show = (file) => {
        binary = file;
        note.hidden = !file;
        note.textContent = file ? `This file of ${bytes(file.bytes.length)} is not text. It will be imported as it is.` : "";
        field.required = !file;
    };
    field.addEventListener("input", () => show(null));
    return {
        get bytes() {
            return (binary ?? AssociationFile.of(field.value)).bytes;
        },
        choose(chosen) {
            const file = new AssociationFile(chosen);
            field.value = file.isText ? file.text : "";
            field.dispatchEvent(new Event("input", { bubbles: true }));
            show(file.isText ? null : file);
            field.focus();
        },
    };
}

/** Loads the names of the apps before the draft is drawn again, so that new apps show their names. */
async function importAndLearnNames(page, edit, form) {
    const importing = async (draftDocument) => {
        await edit(draftDocument);
        page.apps.add(await all(page.api, "/apps"));
    };
    return applyOrAsk(page.document, importing, form);
}

/** Shows the report of an import that was not made in this dialog. */
export function openReport(page, report) {
    const { dialog, part } = openDialog("import");
    part("form").hidden = true;
    showReport(page, dialog, report);
}

function showReport(page, dialog, { items, registeredApps, unregisteredApps }) {
    const root = part(dialog, "result");
    const step = page.history.latest;
    part(root, "undo").addEventListener("click", () => (dialog.close(), page.history.undo(step)));
    root.hidden = false;
    part(root, "summary").textContent = summary(items);
    part(root, "registered").hidden = registeredApps.length === 0;
    part(root, "registered").textContent = `Registered: ${list(registeredApps)}.`;
    part(root, "unregistered").hidden = unregisteredApps.length === 0;
    part(root, "unregistered").textContent = `Not registered: ${list(unregisteredApps)}.${whoRegisters(page)}`;
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
        if (!number) return [];
        return [action === "problem" ? count(number, "problem") : `${count(number, "part")} ${action}`];
    });
    return said.length ? `${list(said)}.` : "Everything was kept.";
}
