import { all, at } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { rolesUpTo } from "../../shared/api/session.js";
import { announce } from "../../components/announce.js";
import { confirm } from "../../components/dialogs.js";
import { onPress } from "../../shared/forms/press.js";
import { focusNeighbour } from "../../shared/page/focus.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { chooseRole } from "./role-choice.js";

/** The members of the organization. Everyone can leave; admins change the roles of others, and remove them. */
export class MemberList {
    #root;
    #session;
    #members = [];

    constructor(main, session) {
        this.#root = part(main, "members");
        this.#session = session;
    }

    async show() {
        this.#members = await all(this.#session.api, "/members");
        part(this.#root, "list").replaceChildren(...this.#members.map((member) => this.#row(member)));
        this.#offerLeaving();
    }

    /** The names of the members without a second factor. Only admins see it. */
    get withoutSecondFactor() {
        return this.#members.filter((each) => each.hasSecondFactor === false).map(({ name, email }) => name || email);
    }

    #row(member) {
        const { id, email, joinedAt, hasSecondFactor } = member;
        const name = member.name || email;
        const isOwn = id === this.#session.me.user?.id;
        const mayChange = this.#session.can("admin") && this.#session.can(member.role);
        const row = clone("member", {
            name,
            email: name === email ? null : email,
            own: isOwn ? "You" : null,
            "no-second-factor":
                this.#session.organization.requiresSecondFactor && hasSecondFactor === false ? "No second factor" : null,
        });
        row.dataset.key = id;
        showAgo(part(row, "joined"), joinedAt);
        fill(row, mayChange ? { role: null } : { role: member.role });
        if (mayChange) this.#offerRoles(row, member, { name, isOwn });
        const remove = part(row, "remove");
        remove.hidden = !isOwn && !mayChange;
        remove.textContent = isOwn ? "Leave…" : "Remove…";
        label(row, "remove", isOwn ? `Leave ${this.#session.organization.name}…` : `Remove ${name}…`);
        const act = () => (isOwn ? this.#leave(member) : this.#remove(member, name, row));
        onPress(remove, act, (problem) => fill(row, { problem: words(problem) }));
        return row;
    }

    /** The last owner cannot leave. */
    #offerLeaving() {
        const owners = this.#members.filter(({ role }) => role === "owner");
        const own = this.#session.me.user?.id;
        const row = this.#root.querySelector(`[data-key="${own}"]`);
        if (row) part(row, "remove").hidden = owners.length === 1 && owners[0].id === own;
    }

    #offerRoles(row, member, { name, isOwn }) {
        const select = label(row, "choice", `Role of ${name}`);
        select.hidden = false;
        chooseRole(select, member.role, {
            roles: rolesUpTo(this.#session.organization.role),
            save: (role) => this.#save(member, role, { row, isOwn }),
            saved: (role, undo) => announce(`${name} now has the role ${role}.`, { undo }),
            failed: (problem) => fill(row, { problem: words(problem) }),
        });
    }

    /** Saves a role. Returns whether the user wanted it after all. */
    async #save(member, role, { row, isOwn }) {
        fill(row, { problem: null });
        const isSure = !isOwn || (await confirm({
            title: `Change your own role to ${role}?`,
            detail: "You cannot take this back yourself.",
            action: "Change my role",
        }));
        if (!isSure) return false;
        await this.#session.api.patch(at`/members/${member.id}`, { role });
        if (isOwn) location.reload();
        member.role = role;
        this.#offerLeaving();
        return true;
    }

    async #remove({ id, email }, name, row) {
        fill(row, { problem: null });
        const isSure = await confirm({
            title: `Remove ${name}?`,
            detail:
                `${email} is out within a second: their sessions can no longer read this organization. ` +
                "Their drafts, versions and events stay.",
            action: "Remove",
        });
        if (!isSure) return;
        await this.#session.api.delete(at`/members/${id}`);
        announce(`${name} removed.`);
        const list = part(this.#root, "list");
        const index = [...list.children].indexOf(row);
        row.remove();
        this.#members = this.#members.filter((member) => member.id !== id);
        this.#offerLeaving();
        focusNeighbour(list.children, index, "remove", part(this.#root, "title"));
    }

    async #leave({ id }) {
        const { name } = this.#session.organization;
        const isSure = await confirm({
            title: `Leave ${name}?`,
            detail:
                "You are out within a second: your sessions can no longer read this organization. " +
                "Only an admin or owner can invite you again.",
            action: "Leave",
        });
        if (!isSure) return;
        await this.#session.api.delete(at`/members/${id}`);
        location.assign("/");
    }
}
