import { all, at } from "../../shared/api/api.js";
import { announce } from "../../components/announce.js";
import { confirm } from "../../components/dialogs.js";
import { focusKey, focusNeighbour } from "../../shared/page/focus.js";
import { onPress, onSubmit } from "../../shared/forms/form.js";
import { clone, label, part } from "../../shared/page/template.js";
import { AddForm } from "./add-form.js";
import { editNameOf } from "./edit-name.js";
import { showInUse } from "./in-use.js";

/** The organization's Apple developer teams: list, add, rename, delete. */
export class TeamRegistry {
    #root;
    #api;
    #adding;
    #changed;

    constructor(main, { api }, { changed }) {
        this.#root = part(main, "teams");
        this.#api = api;
        this.#changed = changed;
        this.#adding = new AddForm(this.#root);
        onSubmit(part(this.#root, "add-form"), (values, form, { hasTyped }) => this.#add(values, form, hasTyped));
    }

    async show() {
        const teams = await all(this.#api, "/teams");
        part(this.#root, "list").replaceChildren(...teams.map((team) => this.#row(team)));
        part(this.#root, "empty").hidden = teams.length > 0;
        this.#adding.show({ isEmpty: teams.length === 0 });
        this.#changed(teams);
    }

    /** Opens the form of a team, unless the team exists. */
    offer(teamID) {
        const rows = [...part(this.#root, "list").children];
        if (!rows.some(({ dataset }) => dataset.key === teamID)) this.#adding.open({ teamID });
    }

    async #add({ teamID, name }, form, hasTyped) {
        await this.#api.post("/teams", { teamID: teamID?.toUpperCase() ?? "", name: name ?? "" });
        if (!hasTyped()) form.reset();
        announce(`Team ${name} added.`);
        await this.show();
        if (!hasTyped()) this.#adding.close();
    }

    #row(team) {
        const row = clone("team-row", { id: team.teamID, name: team.name });
        row.dataset.key = team.teamID;
        label(row, "rename", `Rename team ${team.name}`);
        label(row, "delete", `Delete team ${team.name}`);
        editNameOf(row, team.name, (name) => this.#rename(team, name));
        onPress(part(row, "delete"), () => this.#delete(team, row), (problem) => showInUse(row, problem));
        return row;
    }

    async #rename({ teamID }, name) {
        await this.#api.patch(at`/teams/${teamID}`, { name });
        await this.show();
        focusKey(this.#root, teamID, "rename");
    }

    async #delete({ teamID, name }) {
        const isSure = await confirm({
            title: `Delete team ${name}?`,
            detail: "Removes the team from this registry only. Published files do not change.",
            action: "Delete team",
        });
        if (!isSure) return;
        const rows = [...part(this.#root, "list").children];
        const index = rows.findIndex((row) => row.dataset.key === teamID);
        await this.#api.delete(at`/teams/${teamID}`);
        announce(`Team ${name} deleted.`);
        await this.show();
        focusNeighbour(part(this.#root, "list").children, index, "rename", part(this.#root, "title"));
    }
}
