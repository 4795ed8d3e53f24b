import { domainAddress } from "../../../shared/page/addresses.js";
import { all, at } from "../../../shared/api/api.js";
import { showChanges } from "../../../components/difference/changes.js";
import { offerTimes, showFreeze } from "../../../components/publications/publish-times.js";
import { onPress } from "../../../shared/forms/form.js";
import { AppNames } from "../../../shared/words/app-names.js";
import { part } from "../../../shared/page/template.js";
import { isUntouched } from "../../../shared/words/untouched.js";
import { isSuspicious, showChecks, showNoChecks, showNothingYet } from "../checks.js";
import { Footer } from "../footer.js";
import { keepInput } from "../kept-input.js";
import { offerOverride } from "../override.js";
import { DomainWarnings } from "./domain-warnings.js";
import { followDomain } from "./domain-news.js";
import { showHead } from "./domain-head.js";
import { loadReview, readChecks, withoutNeedlessApproval } from "./review-data.js";
import { publishOnSubmit } from "./domain-submission.js";
import { readiness } from "./readiness.js";

/** The review of a domain's draft, or of one of its versions. */
export async function openDomainReview(page, { version }) {
    const [apps, review] = await Promise.all([all(page.api, "/apps"), loadReview(page, version)]);
    page.apps = new AppNames(apps);
    page.version = version;
    await new DomainReview(page, version).open(review);
}

class DomainReview {
    #page;
    #form;
    #version;
    #review;
    #footer;
    #warnings;
    #due = null;
    #updateOverride;

    constructor(page, version) {
        this.#page = page;
        this.#version = version;
        this.#form = part(page.main, "form");
    }

    async open(review) {
        const { main, session, api, host } = this.#page;
        this.#footer = new Footer(this.#form, { cancel: domainAddress(session.organization.slug, host) });
        offerTimes(this.#form, api);
        part(main, "message-field").hidden = Boolean(this.#version);
        this.#updateOverride = offerOverride(this.#form, {
            isOffered: () => this.#isOverrideUseful(),
            wantsReason: Boolean(this.#version),
        });
        this.#show(review);
        const kept = keepInput(this.#form);
        this.#warnings = new DomainWarnings(this.#form, this.#page, (due) => this.#checkFor(due));
        this.#form.addEventListener("input", () => this.#showReadiness());
        for (const name of ["show-newer", "retry"]) {
            onPress(part(main, name), () => this.reload(), (problem) => showNoChecks(this.#page, problem));
        }
        part(main, "loading").hidden = true;
        this.#form.hidden = false;
        publishOnSubmit(this.#page, { view: this, version: this.#version, kept, news: followDomain(this.#page, this) });
    }

    get etag() {
        return this.#review.etag;
    }

    get isBlocked() {
        return this.#footer.isBlocked;
    }

    /** Whether only an override that is not chosen yet publishes it. */
    get needsOverride() {
        const report = this.#review.checks?.report;
        return Boolean(report && isSuspicious(report) && !this.#form.elements.override.checked);
    }

    /**
     * Updates the review after a change by another user, unless `signal` has ended it by then. A newer draft is only
     * announced: the review stays that of the revision that is read.
     */
    async update(signal) {
        const review = await loadReview(this.#page, this.#version, this.#due);
        if (signal.aborted) return;
        if (review.etag === this.etag) this.#show(review);
        else this.showStale();
        this.#warnings.update();
    }

    /** Loads the newest review and shows it. What is typed stays. */
    async reload() {
        this.#show(await loadReview(this.#page, this.#version, this.#due));
        this.#warnings.update();
        const stale = part(this.#form, "stale");
        const hadFocus = stale.contains(document.activeElement);
        stale.hidden = true;
        if (hadFocus) part(this.#page.main, "title").focus();
    }

    /** Shows that the draft has changed since. */
    showStale() {
        part(this.#form, "stale").hidden = false;
    }

    /** Shows the report of a refused publication. */
    showRefusal(report) {
        const checks = { ...this.#review.checks, unchanged: false, report };
        this.#review = { ...this.#review, checks, problem: null, hasNothingToApprove: false };
        this.#showChecks();
        part(this.#page.main, "checks-title").focus();
    }

    /** Shows that nothing was published, because the live file is the same. */
    showUnchanged() {
        this.#review.checks = { ...this.#review.checks, unchanged: true };
        this.#showReadiness();
    }

    #show(review) {
        this.#review = withoutNeedlessApproval(review, this.#version);
        this.#footer.label(showHead(this.#page, review, this.#version));
        showChanges(part(this.#form, "changes"), review.changes, this.#page.apps);
        showFreeze(this.#form, review.domain.freeze);
        this.#showChecks();
    }

    #showChecks() {
        const { checks, problem, draft, hasNothingToApprove } = this.#review;
        const document = draft && { draft };
        const verify = () => this.#verify();
        if (isUntouched(draft)) showNothingYet(this.#page);
        else if (checks?.report) showChecks(this.#page, checks.report, { document, verify, hasNothingToApprove });
        else showNoChecks(this.#page, problem);
        this.#updateOverride();
        this.#showReadiness();
    }

    /** Checks again once another time is chosen. A late answer for an earlier choice is ignored. */
    async #checkFor(due) {
        if (due === this.#due) return;
        this.#due = due;
        const checks = await readChecks(this.#page, this.#version, due);
        if (due !== this.#due) return;
        this.#review = withoutNeedlessApproval({ ...this.#review, ...checks }, this.#version);
        this.#showChecks();
    }

    #showReadiness() {
        const { organization } = this.#page.session;
        const { override, bypassApproval, when } = this.#form.elements;
        const isNow = when.value === "now";
        const choice = {
            overrides: override.checked,
            bypasses: bypassApproval.checked,
            isNow,
            due: isNow ? null : this.#due,
            version: this.#version,
        };
        this.#footer.show(readiness(this.#review, choice, organization.slug));
    }

    /** Only a later publication, or one of a suspicious file, needs it. */
    #isOverrideUseful() {
        const report = this.#review?.checks?.report;
        return this.#form.elements.when.value !== "now" || Boolean(report && isSuspicious(report));
    }

    /** Marks the host as verified, then checks again. */
    async #verify() {
        await this.#page.api.post(at`/domains/${this.#page.host}/verifications`, { method: "local" });
        await this.reload();
        part(this.#page.main, "checks-title").focus();
    }
}
