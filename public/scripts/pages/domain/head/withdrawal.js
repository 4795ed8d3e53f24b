import { domainAddress } from "../../../shared/page/addresses.js";
import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { onPress } from "../../../shared/forms/press.js";
import { words } from "../../../shared/api/problem.js";
import { part, showHost } from "../../../shared/page/template.js";
import { verify } from "./verification.js";
import { dueWords } from "../../../shared/times/due-time.js";
import { hostWords } from "../../../shared/words/host-words.js";

/** A pending withdrawal, which can be undone, and a host that was withdrawn, which can be brought back. */
export class WithdrawalView {
    #page;
    #notice;
    #end;
    #domain;

    constructor(page) {
        this.#page = page;
        this.#notice = part(page.main, "withdrawal");
        this.#end = part(page.main, "withdrawn");
        const failed = (problem) => announce(words(problem));
        onPress(part(this.#notice, "undo"), () => this.#undo(), failed);
        onPress(part(this.#end, "serve-again"), () => verify(page), failed);
    }

    show(domain) {
        this.#domain = domain;
        const { withdrawal, state } = domain;
        this.#notice.hidden = !withdrawal;
        this.#end.hidden = state !== "withdrawn";
        if (withdrawal) this.#showPending(withdrawal);
        if (state === "withdrawn") this.#showEnd(domain);
    }

    #showPending({ host, dueAt, reason, requestedBy, cause }) {
        const isOwn = host === this.#domain.host;
        part(this.#notice, "due").textContent = dueWords(dueAt);
        part(this.#notice, "due").dateTime = dueAt;
        part(this.#notice, "reason").textContent = `${requestedBy.name}: “${reason}”`;
        part(this.#notice, "cause").textContent = cause ? `The last attempt failed and will be retried: ${cause}` : "";
        part(this.#notice, "cause").hidden = !cause;
        part(this.#notice, "own").hidden = !isOwn;
        part(this.#notice, "with-target").hidden = isOwn;
        showHost(part(this.#notice, "leaving-target"), hostWords(host));
        part(this.#notice, "leaving-target").href = domainAddress(this.#page.session.organization.slug, host);
    }

    /** A domain comes back when it is published; an alias that was withdrawn alone, when it is verified. */
    #showEnd({ aliasOf, host }) {
        const { organization, me } = this.#page.session;
        const { local } = me.installation;
        part(this.#end, "publish-again").hidden = Boolean(aliasOf);
        part(this.#end, "left-out").hidden = !aliasOf;
        part(this.#end, "serve-again").hidden = !aliasOf || !local;
        part(this.#end, "by-operator").hidden = !aliasOf || local;
        part(this.#end, "command").textContent =
            `waymark domain verify --organization ${organization.slug} ${host}`;
    }

    async #undo() {
        const { host, id } = this.#domain.withdrawal;
        await this.#page.api.delete(at`/domains/${host}/withdrawals/${id}`);
        await this.#page.head.reload();
        announce(`Withdrawal undone. ${this.#domain.unicodeHost} is still served.`);
        part(this.#page.main, "host").focus();
    }
}
