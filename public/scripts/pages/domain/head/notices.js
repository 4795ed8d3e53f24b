import { AliasNotice } from "./alias-notice.js";
import { VerificationNotice } from "./verification.js";
import { WithdrawalView } from "./withdrawal.js";

/** The notices in the head of a domain that is unverified, an alias, or withdrawn. */
export class Notices {
    #shown;

    constructor(page) {
        const ofAlias = page.domain.aliasOf ? [new AliasNotice(page)] : [];
        this.#shown = [new VerificationNotice(page), ...ofAlias, new WithdrawalView(page)];
    }

    show(domain) {
        for (const notice of this.#shown) notice.show(domain);
    }
}
