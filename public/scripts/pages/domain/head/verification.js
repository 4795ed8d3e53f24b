import { announce } from "../../../components/announce.js";
import { at } from "../../../shared/api/api.js";
import { onPress } from "../../../shared/forms/press.js";
import { words } from "../../../shared/api/problem.js";
import { part } from "../../../shared/page/template.js";

/** How an unverified host is verified. */
export class VerificationNotice {
    #root;

    constructor(page) {
        const { organization, me } = page.session;
        this.#root = part(page.main, "unverified");
        part(this.#root, "verify").hidden = !me.installation.local;
        part(this.#root, "verify-operator").hidden = me.installation.local;
        part(this.#root, "verify-command").textContent =
            `waymark domain verify --organization ${organization.slug} ${page.domain.host}`;
        onPress(part(this.#root, "verify"), () => verify(page), (error) => announce(words(error)));
    }

    show({ verified }) {
        this.#root.hidden = verified;
    }
}

/** Marks the host of a page as verified. Only a local installation allows this. */
export async function verify(page) {
    const { body } = await page.api.post(at`/domains/${page.host}/verifications`, { method: "local" });
    page.head.show(body);
    announce(`${body.unicodeHost} marked as verified.`);
    part(page.main, "host").focus();
}
