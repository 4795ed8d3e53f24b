import { all, at } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { rolesUpTo } from "../../shared/api/session.js";
import { announce } from "../../components/announce.js";
import { confirm, openDialog } from "../../components/dialogs.js";
import { parseLabels } from "../../shared/forms/labels.js";
import { onSubmit } from "../../shared/forms/form.js";
import { onPress } from "../../shared/forms/press.js";
import { focusNeighbour } from "../../shared/page/focus.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { grantWords } from "../../shared/words/role-words.js";
import { list } from "../../shared/words/numbers.js";
import { removeMember } from "./remove-member.js";
import { chooseRole } from "./role-choice.js";
import { addLimit, limitable } from "./role-limit.js";

/** The members of the organization. Everyone can leave; admins change the roles of others, and remove them. */
export class MemberList {
    #root;
    #session;
    #endedAccess;
    #members = [];

    /** `endedAccess` is called after tokens or trusts of a member were ended. */
    constructor(main, session, endedAccess) {
        this.#root = part(main, "members");
        this.#session = session;
        this.#endedAccess = endedAccess;
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
        const mayChange = this.#session.can("changeMember") && this.#session.can(member.role);
        const row = clone("member", {
            name,
            email: name === email ? null : email,
            own: isOwn ? "You" : null,
            "no-second-factor": hasSecondFactor === false ? "No second factor" : null,
        });
        // It keeps the member out only if the organization requires one.
        part(row, "no-second-factor").dataset.tone = this.#session.organization.requiresSecondFactor ? "warning" : "neutral";
        row.dataset.key = id;
        showAgo(part(row, "joined"), joinedAt);
        fill(row, mayChange ? { role: null } : { role: grantWords(member) });
        if (mayChange) {
            this.#offerRoles(row, member, { name, isOwn });
            part(row, "limit").addEventListener("click", () => this.#limit(member, row));
            this.#showLimit(row, member);
        }
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

    /** The button says for which domains the role counts. */
    #showLimit(row, { name, email, role, labels }) {
        const text = labels.length ? `For ${labels.join(", ")}` : "For all domains";
        const button = label(row, "limit", `${text}: limit the role of ${name || email}…`);
        button.hidden = !limitable.includes(role);
        button.textContent = text;
    }

    #limit(member, row) {
        const name = member.name || member.email;
        const { dialog, part: each } = openDialog("limit-role", { title: `Limit the role of ${name}` });
        const form = each("form");
        addLimit(form, each("limit"), this.#session.api, member.labels);
        form.elements.labels.focus();
        onSubmit(form, async (values) => {
            const { body } = await this.#session.api.patch(at`/members/${member.id}`, { labels: parseLabels(values.labels) });
            dialog.close();
            member.labels = body.labels;
            this.#showLimit(row, member);
            announce(`${name} is now ${grantWords(member)}.`);
            part(row, "limit").focus();
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
        const labels = limitable.includes(role) ? member.labels : [];
        await this.#session.api.patch(at`/members/${member.id}`, { role, labels });
        if (isOwn) location.reload();
        Object.assign(member, { role, labels });
        this.#showLimit(row, member);
        this.#offerLeaving();
        return true;
    }

    async #remove(member, name, row) {
        fill(row, { problem: null });
        const ended = await removeMember(this.#session, member, name);
        if (!ended) return;
        announce(ended.length ? `${name} removed. Ended: ${list(ended)}.` : `${name} removed.`);
        const rows = part(this.#root, "list");
        const index = [...rows.children].indexOf(row);
        row.remove();
        this.#members = this.#members.filter(({ id }) => id !== member.id);
        this.#offerLeaving();
        focusNeighbour(rows.children, index, "remove", part(this.#root, "title"));
        if (ended.length) await this.#endedAccess();
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
