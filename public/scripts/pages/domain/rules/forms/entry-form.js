import { Problem } from "../../../../shared/api/problem.js";
import { clearErrors, showErrors } from "../../../../shared/forms/field-errors.js";
import { onSubmit } from "../../../../shared/forms/form.js";
import { clone, label, part, uniqueIDs } from "../../../../shared/page/template.js";
import { closesOnEscape } from "./form-escape.js";

/** The form of an entry's apps: chosen from the registry by name, or typed as an app ID. */
export function openEntryForm({ apps: registry }, { apps, save, close }) {
    const form = uniqueIDs(clone("entry-form"));
    const chosen = [...apps];
    const input = part(form, "input");
    part(form, "suggestions").replaceChildren(...registry.apps.map(({ appID, name }) => new Option(name, appID)));

    const draw = () => {
        const chips = chosen.map((appID) => chip(appID, registry, () => remove(appID)));
        part(form, "chosen").replaceChildren(...chips);
    };
    const remove = (appID) => {
        chosen.splice(chosen.indexOf(appID), 1);
        draw();
        input.focus();
    };
    const add = () => {
        const appID = appIDOf(input.value.trim(), registry);
        if (appID && !chosen.includes(appID)) chosen.push(appID);
        input.value = "";
        draw();
    };
    const tryToAdd = () => {
        clearErrors(form);
        try {
            add();
            input.focus();
        } catch (problem) {
            showErrors(form, problem);
        }
    };

    draw();
    part(form, "add").addEventListener("click", tryToAdd);
    input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !input.value.trim()) return;
        event.preventDefault();
        tryToAdd();
    });
    onSubmit(form, async () => {
        add();
        await save([...chosen], form);
        close();
    });
    part(form, "cancel").addEventListener("click", close);
    closesOnEscape(form, close);
    return form;
}

/** The app ID that a text means: the text itself, or the ID of the registered app with this name. */
function appIDOf(text, registry) {
    if (!text || /^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/.test(text) || registry.isRegistered(text)) return text;
    const [appID, ...others] = registry.named(text);
    if (appID && !others.length) return appID;
    const detail = appID
        ? `Several apps have the name “${text}”. Enter the app ID instead.`
        : `No registered app has the name “${text}”, and it is not an app ID such as ABCDE12345.com.example.app.`;
    throw new Problem({ code: "invalid", errors: [{ pointer: "/entries", detail }] });
}

function chip(appID, registry, remove) {
    const name = registry.isRegistered(appID) ? registry.name(appID) : null;
    const item = clone("chosen-app", { name, id: appID });
    label(item, "remove", `Remove ${name ?? appID}`).addEventListener("click", remove);
    return item;
}
