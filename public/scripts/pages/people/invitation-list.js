import { all, at } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { announce } from "../../components/announce.js";
import { offerCurl } from "../../components/curl.js";
import { confirm } from "../../components/dialogs.js";
import { onPress } from "../../shared/forms/press.js";
import { focusKey, focusNeighbour } from "../../shared/page/focus.js";
import { clone, fill, label, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { count } from "../../shared/words/numbers.js";
import { grantWords } from "../../shared/words/role-words.js";
import { invitePeople, showLinks } from "./invitation-dialogs.js";

/** What became of the mail with a link: its words and tone. */
const mails = {
    queued: ["Mail on its way", "info"],
    sent: ["Mailed", "good"],
    failed: ["Mail failed", "bad"],
};

/** The people who are invited and have not joined yet. */
export class InvitationList {
    #root;
    #session;

    constructor(main, session) {
        this.#root = part(main, "invitations");
        this.#session = session;
        part(this.#root, "invite").addEventListener("click", () => this.#invite());
        offerCurl("list invitations", () => ({ path: "/invitations", organization: session.organization.slug }));
        const address = new URL(location.href);
        if (!address.searchParams.has("invite")) return;
        // The finder leads here from any page.
        address.searchParams.delete("invite");
        history.replaceState(null, "", address);
        this.#invite();
    }

    async show() {
        const invitations = await all(this.#session.api, "/invitations");
        const open = invitations.filter(({ state }) => state === "pending" || state === "expired");
        part(this.#root, "list").replaceChildren(...open.map((invitation) => this.#row(invitation)));
        const isAlone = !invitations.length;
        const empty = isAlone
            ? "Invite the people you work with. Each of them gets a link."
            : "No open invitations.";
        fill(this.#root, { problem: null, empty: open.length ? null : empty });
    }

    #row(invitation) {
        const { id, email, name, role, invitedBy, expiresAt, state, mail } = invitation;
        const person = name || email;
        const isExpired = state === "expired";
        const row = clone("invitation", {
            person,
            email: name ? email : null,
            role: grantWords(invitation),
            inviter: invitedBy,
            expired: isExpired ? "Expired" : null,
            mail: mail && !isExpired ? mails[mail.state][0] : null,
            problem: mail?.cause && !isExpired ? mailWords(mail) : null,
            "end-words": isExpired ? "Expired" : "Expires",
        });
        row.dataset.key = id;
        showAgo(part(row, "end"), expiresAt);
        if (mail) part(row, "mail").dataset.tone = mails[mail.state][1];
        const mayChange = this.#session.can(role);
        for (const action of ["renew", "withdraw"]) part(row, action).hidden = !mayChange || isExpired;
        part(row, "resend").hidden = !mayChange || isExpired || !this.#session.me.installation.sendsMail;
        part(row, "again").hidden = !mayChange || !isExpired;
        label(row, "again", `Invite ${person} again…`).addEventListener("click", () => this.#invite(invitation));
        const failed = (problem) => fill(row, { problem: words(problem) });
        onPress(label(row, "resend", `Send the invitation of ${person} again`), () => this.#resend(invitation), failed);
        onPress(label(row, "renew", `New link for ${person}…`), () => this.#renew(invitation, person), failed);
        onPress(label(row, "withdraw", `Withdraw the invitation of ${person}…`), () => this.#withdraw(id, person, row), failed);
        return row;
    }

    #invite(person) {
        invitePeople(this.#session, (results) => this.#invited(results), person);
    }

    async #invited(results) {
        const made = results.filter(({ problem }) => !problem);
        const title = made.length === 1 ? `${made[0].name || made[0].email} is invited` : `${count(made.length, "person", "people")} invited`;
        const isMailed = !made.some(({ link }) => link);
        const detail = isMailed
            ? "Each person gets a link by mail."
            : "Send each person their link. Anyone who has a link can join with it, so send it privately.";
        if (isMailed && made.length === results.length) announce(`${title}. ${detail}`);
        else await showLinks(results, { title, detail });
        await this.#refresh();
        part(this.#root, "invite").focus();
    }

    async #resend({ id, email }) {
        await this.#session.api.post(at`/invitations/${id}/renewals`, { delivery: "mail" });
        announce(`A new link goes to ${email}. The old one has ended.`);
        await this.#refresh();
        focusKey(this.#root, id, "resend");
    }

    async #renew({ id, email }, person) {
        const isSure = await confirm({
            title: `Make a new link for ${person}?`,
            detail: `The old link ends now. The new one is for ${email} and lasts as long as the first one did.`,
            action: "Make a new link",
        });
        if (!isSure) return;
        const { body } = await this.#session.api.post(at`/invitations/${id}/renewals`, { delivery: "link" });
        await showLinks([body], { title: `New link for ${person}`, detail: "The old link has ended. Send this one." });
        await this.#refresh();
        focusKey(this.#root, id, "renew");
    }

    async #withdraw(id, person, row) {
        const isSure = await confirm({
            title: `Withdraw the invitation of ${person}?`,
            detail: "The link ends now. You can invite the person again.",
            action: "Withdraw",
            keep: "Keep it",
        });
        if (!isSure) return;
        await this.#session.api.delete(at`/invitations/${id}`);
        announce(`Invitation of ${person} withdrawn.`);
        const list = part(this.#root, "list");
        const index = [...list.children].indexOf(row);
        await this.#refresh();
        focusNeighbour(list.children, index, "withdraw", part(this.#root, "title"));
    }

    /** Loads the list again after a change. If that fails, the change is made anyway. */
    async #refresh() {
        await this.show().catch((error) => fill(this.#root, { problem: words(error) }));
    }
}

function mailWords({ state, cause }) {
    const next = state === "failed" ? "Send it again, or hand over a new link." : "Waymark tries again.";
    return `The mail was not accepted: ${cause.replace(/\.$/, "")}. ${next}`;
}
