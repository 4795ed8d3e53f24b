import { onSubmit } from "../../../shared/forms/form.js";
import { clone, part, uniqueIDs } from "../../../shared/page/template.js";
import { closesOnEscape } from "../rules/forms/form-escape.js";
import { systems } from "../../../shared/words/test-words.js";

/** The form of one test. `save` gets the test as the API takes it, and throws the API's problem. */
export function openTestForm({ apps, document }, { test, isNew, save, close }) {
    const form = uniqueIDs(clone("test-form", { title: isNew ? "New test" : "Edit test" }));
    const { url, outcome, app, os, note } = form.elements;
    os.append(...Object.entries(systems).map(([value, name]) => new Option(name, value)));
    part(form, "suggestions").replaceChildren(...suggestions(apps, document));

    url.value = test.url ?? "";
    outcome.value = test.expected?.outcome ?? "opens";
    app.value = test.expected?.app ?? document.draft.entries[0]?.apps[0] ?? "";
    os.value = test.os ?? "";
    note.value = test.note ?? "";
    const showApp = () => (part(form, "app-field").hidden = outcome.value !== "opens");
    outcome.addEventListener("change", showApp);
    showApp();

    onSubmit(form, async () => {
        const expected = { outcome: outcome.value, ...(outcome.value === "opens" && { app: app.value.trim() }) };
        await save({ url: url.value.trim(), expected, os: os.value || null, note: note.value.trim() });
        close();
    });
    part(form, "cancel").addEventListener("click", close);
    closesOnEscape(form, close);
    return form;
}

/** The draft's apps first, then the other registered apps. */
function suggestions(apps, { draft }) {
    const known = [...draft.entries.flatMap((entry) => entry.apps), ...apps.apps.map(({ appID }) => appID)];
    return [...new Set(known)].map((appID) => new Option(apps.name(appID), appID));
}
