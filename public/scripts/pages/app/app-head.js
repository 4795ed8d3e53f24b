import { addressWithOrganization } from "../../shared/page/addresses.js";
import { at } from "../../shared/api/api.js";
import { announce } from "../../components/announce.js";
import { copies } from "../../shared/page/clipboard.js";
import { confirm, openDialog } from "../../components/dialogs.js";
import { onPress, onSubmit } from "../../shared/forms/form.js";
import { words } from "../../shared/api/problem.js";
import { appKinds } from "../../shared/words/app-names.js";
import { fill, part } from "../../shared/page/template.js";
import { openReplacing } from "./replacing.js";

/** The app's name and facts, and what can be done with it: edit, replace in drafts, delete. */
export class AppHead {
    #root;
    #session;
    #app;

    constructor(main, session, app) {
        this.#root = part(main, "head");
        this.#session = session;
        this.#app = app;
        const failed = (problem) => this.#failed(problem);
        part(this.#root, "edit").addEventListener("click", () => this.#edit());
        onPress(part(this.#root, "replace"), () => openReplacing(session, this.#app), failed);
        onPress(part(this.#root, "delete"), () => this.#delete(), failed);
        copies(part(this.#root, "copy-id"), () => app.appID);
    }

    show() {
        const { appID, teamID, prefix, name, kind, appStoreID } = this.#app;
        document.title = `${name} · Waymark`;
        fill(this.#root, {
            name,
            id: appID,
            facts: [appKinds[kind] ?? kind, `Team ${teamID}`, teamID !== prefix && `prefix ${prefix}`]
                .filter(Boolean)
                .join(" · "),
            store: appStoreID && `App Store ${appStoreID}`,
        });
        part(this.#root, "store").href = `https://apps.apple.com/app/id${appStoreID}`;
        part(this.#root, "registry").href = this.#registry;
        part(this.#root, "actions").hidden = false;
    }

    get #registry() {
        return addressWithOrganization("/apps", this.#session.organization.slug);
    }

    #edit() {
        const { dialog, part: partOf } = openDialog("edit-app", {});
        const form = partOf("form");
        for (const name of ["name", "kind", "appStoreID"]) form.elements[name].value = this.#app[name] ?? "";
        form.elements.name.select();
        onSubmit(form, async ({ name, kind, appStoreID }) => {
            const change = { name: name ?? "", kind, appStoreID };
            const { body } = await this.#session.api.patch(at`/apps/${this.#app.appID}`, change);
            this.#app = { ...this.#app, ...body };
            dialog.close();
            this.show();
            announce("App saved.");
        });
    }

    async #delete() {
        fill(this.#root, { "head-problem": null });
        const { appID, name } = this.#app;
        const isSure = await confirm({
            title: `Delete ${name}?`,
            detail: `Removes ${appID} from this registry. Published files do not change.`,
            action: "Delete app",
        });
        if (!isSure) return;
        await this.#session.api.delete(at`/apps/${appID}`);
        location.assign(this.#registry);
    }

    #failed(problem) {
        fill(this.#root, { "head-problem": words(problem) });
        part(this.#root, "head-problem").focus();
    }
}
