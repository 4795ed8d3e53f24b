import { appAddress } from "../../shared/page/addresses.js";
import { all } from "../../shared/api/api.js";
import { announce } from "../../components/announce.js";
import { onSubmit } from "../../shared/forms/form.js";
import { afterPause } from "../../shared/following/later.js";
import { words } from "../../shared/api/problem.js";
import { appKinds } from "../../shared/words/app-names.js";
import { count, number } from "../../shared/words/numbers.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { Newest } from "../../shared/following/newest.js";
import { AddForm } from "./add-form.js";

/** The organization's apps: list, search, add. Each has a page, which can change and delete it. */
export class AppRegistry {
    #root;
    #session;
    #api;
    #form;
    #adding;
    #searching = new Newest();

    constructor(main, session) {
        this.#root = part(main, "apps");
        this.#session = session;
        this.#api = session.api;
        this.#form = part(this.#root, "add-form");
        this.#adding = new AddForm(this.#root);
        onSubmit(this.#form, (values, _, { hasTyped }) => this.#add(values, hasTyped));
        part(this.#root, "search").addEventListener("input", afterPause(200, () => this.#search()));
        this.#form.addEventListener("input", () => this.#preview());
    }

    /** Returns the apps that it shows. */
    async show() {
        this.#searching.stop();
        const q = part(this.#root, "search").value.trim();
        const apps = await all(this.#api, "/apps", { query: { q } });
        this.#draw(q, apps);
        return apps;
    }

    /** Opens the form of an app. A team that does not exist yet can be chosen, so that the form shows the right app ID. */
    offer(teamID, bundleID) {
        const select = part(this.#root, "team-choice");
        select.value = teamID;
        if (!select.value) select.prepend(new Option(`Add team ${teamID} first`, teamID));
        this.#adding.open({ teamID, bundleID });
        this.#preview();
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
        if (q === "") this.#adding.show({ isEmpty: apps.length === 0 });
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
        const { teamID, prefix, bundleID } = this.#form.elements;
        const shownPrefix = prefix.value.trim() || teamID.value || "TEAMID1234";
        part(this.#root, "preview").textContent = `${shownPrefix}.${bundleID.value.trim() || "com.example.app"}`;
    }

    async #add({ teamID, prefix, bundleID, name, kind, appStoreID }, hasTyped) {
        const { body } = await this.#api.post("/apps", {
            teamID: teamID ?? "",
            bundleID: bundleID ?? "",
            kind,
            ...(prefix && { prefix }),
            ...(name && { name }),
            ...(appStoreID && { appStoreID }),
        });
        if (!hasTyped()) this.#clear();
        announce(`App ${body.name} added.`);
        await this.show();
        if (!hasTyped()) this.#adding.close();
    }

    #clear() {
        for (const field of ["bundleID", "name", "appStoreID", "prefix"]) this.#form.elements[field].value = "";
        this.#preview();
    }

    #row(app) {
        const row = clone("app-row", {
            name: app.name,
            id: app.appID,
            kind: `${appKinds[app.kind] ?? app.kind}${app.appStoreID ? ` · App Store ${app.appStoreID}` : ""}`,
            domains: usesWords(app),
        });
        part(row, "name").href = appAddress(this.#session.organization.slug, app.appID);
        return row;
    }
}

/** The most domains that the API counts. */
const maximumCounted = 1_000;

function usesWords({ domains }) {
    if (domains === undefined) return null;
    if (domains === 0) return "Not used";
    return domains < maximumCounted ? count(domains, "domain") : `${number(maximumCounted)}+ domains`;
}
