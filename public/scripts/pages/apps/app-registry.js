import { all, at } from "../../shared/api/api.js";
import { announce } from "../../components/announce.js";
import { confirm } from "../../components/dialogs.js";
import { focusKey, focusNeighbour } from "../../shared/page/focus.js";
import { onPress, onSubmit } from "../../shared/forms/form.js";
import { afterPause } from "../../shared/following/later.js";
import { words } from "../../shared/api/problem.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { Newest } from "../../shared/following/newest.js";
import { editNameOf } from "./edit-name.js";
import { showInUse } from "./in-use.js";
import { openReplacing } from "./replacing.js";

const kinds = { app: "App", appClip: "App Clip" };

/** The organization's apps: list, search, add, rename, delete. An app's ID never changes. */
export class AppRegistry {
    #root;
    #session;
    #api;
    #searching = new Newest();

    constructor(main, session) {
        this.#root = part(main, "apps");
        this.#session = session;
        this.#api = session.api;
        onSubmit(part(this.#root, "add-app"), (values, form) => this.#add(values, form));
        part(this.#root, "search").addEventListener("input", afterPause(200, () => this.#search()));
        part(this.#root, "add-app").addEventListener("input", () => this.#preview());
    }

    async show() {
        this.#searching.stop();
        const q = part(this.#root, "search").value.trim();
        this.#draw(q, await all(this.#api, "/apps", { query: { q } }));
    }

    #search() {
        const q = part(this.#root, "search").value.trim();
        this.#searching.ask(() => all(this.#api, "/apps", { query: { q } }), {
            answered: (apps) => this.#draw(q, apps),
            failed: (error) => fill(this.#root, { "search-problem": words(error) }),
        });
    }

    #draw(q, apps) {
        if (q !== part(this.#root, "search").value.trim()) return;
        fill(this.#root, { "search-problem": null });
        part(this.#root, "list").replaceChildren(...apps.map((app) => this.#row(app)));
        part(this.#root, "empty").hidden = apps.length > 0 || q !== "";
        part(this.#root, "nothing-found").hidden = apps.length > 0 || q === "";
    }

    offerTeams(teams) {
        const select = part(this.#root, "team-choice");
        const chosen = select.value;
        select.replaceChildren(...teams.map(({ teamID, name }) => new Option(`${name} (${teamID})`, teamID)));
        if (!teams.length) select.replaceChildren(new Option("Add a team first", ""));
        if (chosen) select.value = chosen;
        this.#preview();
    }

    /** Shows the app ID before it is added: it can never be changed. */
    #preview() {
        const { teamID, prefix, bundleID } = part(this.#root, "add-app").elements;
        const shownPrefix = prefix.value.trim() || teamID.value || "TEAMID1234";
        part(this.#root, "preview").textContent = `${shownPrefix}.${bundleID.value.trim() || "com.example.app"}`;
    }

    async #add({ teamID, prefix, bundleID, name, kind, appStoreID }, form) {
        const { body } = await this.#api.post("/apps", {
            teamID: teamID ?? "",
            bundleID: bundleID ?? "",
            kind,
            ...(prefix && { prefix }),
            ...(name && { name }),
            ...(appStoreID && { appStoreID }),
        });
        for (const field of ["bundleID", "name", "appStoreID", "prefix"]) form.elements[field].value = "";
        this.#preview();
        announce(`App ${body.name} added.`);
        await this.show();
        form.elements.bundleID.focus();
    }

    #row(app) {
        const kind = kinds[app.kind] ?? app.kind;
        const row = clone("app-row", { id: app.appID, name: app.name, kind, store: storeNote(app) });
        row.dataset.key = app.appID;
        label(row, "rename", `Rename ${app.name}`);
        label(row, "delete", `Delete ${app.name}`);
        label(row, "replace", `Replace ${app.name} in drafts…`);
        onPress(part(row, "replace"), () => openReplacing(this.#session, app), (problem) => announce(words(problem)));
        editNameOf(row, app.name, (name) => this.#rename(app, name));
        onPress(part(row, "delete"), () => this.#delete(app), (problem) => showInUse(row, problem));
        return row;
    }

    async #rename({ appID }, name) {
        await this.#api.patch(at`/apps/${appID}`, { name });
        await this.show();
        focusKey(this.#root, appID, "rename");
    }

    async #delete({ appID, name }) {
        const isSure = await confirm({
            title: `Delete ${name}?`,
            detail: `Removes ${appID} from this registry. Published files do not change.`,
            action: "Delete app",
        });
        if (!isSure) return;
        const rows = [...part(this.#root, "list").children];
        const index = rows.findIndex((row) => row.dataset.key === appID);
        await this.#api.delete(at`/apps/${appID}`);
        announce(`App ${name} deleted.`);
        await this.show();
        focusNeighbour(part(this.#root, "list").children, index, "rename", part(this.#root, "title"));
    }
}

function storeNote({ appStoreID }) {
    return appStoreID ? `App Store ${appStoreID}` : null;
}
