import { domainAddress } from "../../../shared/page/addresses.js";
import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { openDialog } from "../../../components/dialogs.js";
import { onPress, onSubmit } from "../../../shared/forms/form.js";
import { Problem, words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";
import { dueWords } from "../../../shared/times/due-time.js";
import { showServed } from "./removal.js";
import { hostWords } from "../../../shared/words/host-words.js";

/** Withdrawing the host from service, undoing that while it is pending, and bringing the host back. */
export class WithdrawalView {
    #page;
    #notice;
    #end;
    #panel;
    #domain;

    constructor(page) {
        this.#page = page;
        this.#notice = part(page.main, "withdrawal");
        this.#end = part(page.main, "withdrawn");
        this.#panel = part(page.main, "withdrawing");
        const failed = (problem) => announce(words(problem));
        onPress(part(this.#notice, "undo"), () => this.#undo(), failed);
        onPress(part(this.#end, "serve-again"), () => page.head.verify(), failed);
        part(this.#panel, "withdraw").addEventListener("click", () => this.#ask());
    }

    show(domain) {
        this.#domain = domain;
        const isWithdrawn = domain.state === "withdrawn";
        showServed(this.#page.main, { isServed: Boolean(domain.live) || isWithdrawn, isWithdrawn });
        const { live, withdrawal, state } = domain;
        part(this.#panel, "withdraw").hidden = !live || withdrawal?.host === domain.host;
        part(this.#panel, "idle").hidden = Boolean(live);
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
        part(this.#notice, "leaving-target").textContent = hostWords(host);
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

    #ask() {
        const { host, unicodeHost, aliases } = this.#domain;
        const { dialog, part: inside } = openDialog("withdraw", {
            title: `Withdraw ${unicodeHost}`,
            aliases: aliases.length ? `This also withdraws its aliases: ${aliases.join(", ")}.` : null,
            host,
        });
        onSubmit(inside("form"), async ({ reason, graceSeconds, confirmation }) => {
            if (![host, unicodeHost].includes(confirmation)) {
                const detail = `Type ${unicodeHost} to confirm.`;
                throw new Problem({ code: "invalid", errors: [{ pointer: "/confirmation", detail }] });
            }
            const body = { graceSeconds: Number(graceSeconds), ...(reason && { reason }) };
            await this.#page.api.post(at`/domains/${host}/withdrawals`, body);
            dialog.close();
            await this.#page.head.reload();
            announce(`Withdrawal of ${unicodeHost} scheduled. The file is served until then.`);
            this.#notice.focus();
        });
    }

    async #undo() {
        const { host, id } = this.#domain.withdrawal;
        await this.#page.api.delete(at`/domains/${host}/withdrawals/${id}`);
        await this.#page.head.reload();
        announce(`Withdrawal undone. ${this.#domain.unicodeHost} is still served.`);
        part(this.#page.main, "host").focus();
    }
}
