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
        const appID = input.value.trim();
        if (appID && !chosen.includes(appID)) chosen.push(appID);
        input.value = "";
        draw();
    };

    draw();
    part(form, "add").addEventListener("click", () => (add(), input.focus()));
    input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !input.value.trim()) return;
        event.preventDefault();
        add();
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

function chip(appID, registry, remove) {
    const name = registry.isRegistered(appID) ? registry.name(appID) : null;
    const item = clone("chosen-app", { name, id: appID });
    label(item, "remove", `Remove ${name ?? appID}`).addEventListener("click", remove);
    return item;
}
