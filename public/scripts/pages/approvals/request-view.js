import { announce } from "../../components/announce.js";
import { offerCurl } from "../../components/curl.js";
import { confirm } from "../../components/dialogs.js";
import { at } from "../../shared/api/api.js";
import { words } from "../../shared/api/problem.js";
import { onPress, onSubmit } from "../../shared/forms/form.js";
import { markTyping } from "../../shared/forms/typed-work.js";
import { addressWithOrganization, publishAddress, versionAddress } from "../../shared/page/addresses.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { authorWords } from "../../shared/words/author-words.js";
import { list, number } from "../../shared/words/numbers.js";
import { showState } from "../../shared/words/states.js";
import { approvalStates, edited } from "./approval-states.js";
import { deciding, isPerson } from "./deciding.js";
import { savedVersions } from "./saved-versions.js";
import { voidedApprovals } from "./voided-approvals.js";

const acts = { comment: "commented", approval: "approved", rejection: "rejected the request" };
const news = { approvals: "Approved.", rejections: "Rejected.", comments: "Comment added." };
/** The most characters of a reason in the audit trail. */
const maximumReason = 500;

/** A request: its files with their approvals, its reviews, and the form to add one. */
export class RequestView {
    #root;
    #session;
    #path;

    constructor(root, session, id) {
        this.#root = root;
        this.#session = session;
        this.#path = at`/approval-requests/${id}`;
    }

    async show() {
        const { slug } = this.#session.organization;
        part(this.#root, "all").href = addressWithOrganization("/approvals", slug);
        offerCurl("show this request", () => ({ path: this.#path, organization: slug }));
        await this.#fill((await this.#session.api.get(this.#path)).body);
        onSubmit(part(this.#root, "form"), ({ text }, form, { button, hasTyped }) => this.#review(button.name, text, { form, hasTyped }));
        const fail = (problem) => fill(this.#root, { problem: words(problem) });
        onPress(part(this.#root, "cancel"), () => this.#cancel(), fail);
    }

    async #review(act, text, { form, hasTyped }) {
        const { api } = this.#session;
        const body = act === "rejections" ? { reason: text ?? "" } : { text: text ?? "" };
        const answer = await api.post(`${this.#path}/${act}`, body);
        if (!hasTyped()) form.reset();
        await this.#fill(answer.body);
        announce(news[act]);
        if (form.hidden) part(this.#root, "title").focus();
    }

    /** Cancels the request, after a question. The typed text is the reason in the audit trail, which takes one line. */
    async #cancel() {
        const form = part(this.#root, "form");
        const reason = form.elements.text.value.replace(/[\s\p{Cc}]+/gu, " ").trim();
        const isLong = reason.length > maximumReason;
        fill(form, { problem: isLong ? `The reason can have at most ${maximumReason} characters.` : null });
        if (isLong) return part(form, "problem").focus();
        const use = reason && " What you have typed is saved as the reason.";
        const detail = `Its approvals end. A scheduled publication that needs them will not go live.${use}`;
        const isSure = await confirm({ title: "Cancel the request?", detail, action: "Cancel request", keep: "Keep request" });
        if (!isSure) return;
        const { body } = await this.#session.api.delete(this.#path, { query: { reason } });
        form.reset();
        markTyping(form, false);
        await this.#fill(body);
        announce("Request cancelled.");
        part(this.#root, "title").focus();
    }

    async #fill(request) {
        const { api, me } = this.#session;
        const { message, requestedBy, createdAt, state, files, reviews } = request;
        const isEnded = request.endedAt !== null;
        const [voided, versions, { canApprove, canDecide, why }] = await Promise.all([
            voidedApprovals(api, request),
            savedVersions(api, files),
            isEnded ? {} : deciding(this.#session, request),
        ]);
        const root = this.#root;
        fill(root, { title: message, requester: authorWords(requestedBy) });
        showAgo(part(root, "time"), createdAt);
        const isEdited = !isEnded && files.every(({ outdated }) => outdated);
        showState(part(root, "state"), isEdited ? edited : approvalStates[state]);
        part(root, "files").replaceChildren(...files.map((file) => this.#file(file, versions.get(file.host), voided)));
        part(root, "reviews").replaceChildren(...reviews.map((each) => review(each, files, voided)));
        part(root, "no-reviews").hidden = reviews.length > 0;
        fill(root, { why });
        part(root, "form").hidden = isEnded;
        part(root, "approve").hidden = !canApprove;
        part(root, "reject").hidden = !canDecide;
        const isOwn = isPerson(me.user.email)(requestedBy) && files.every(({ approvedBy }) => approvedBy.length === 0);
        part(root, "cancel").hidden = !isOwn && !canDecide;
    }

    /** The link opens the requested file. Without one, only the draft of today can be shown, and the link says so. */
    #file(file, version, voided) {
        const { host, editors, approvedBy, outdated, sha256 } = file;
        const { slug } = this.#session.organization;
        const isDraft = !version && !outdated;
        const counting = approvedBy.filter((approver) => !voided(file, approver));
        const row = clone("file", {
            host,
            version: version ? `version ${version}` : null,
            sha256: sha256.slice(0, 8),
            "other-host": version || isDraft ? null : host,
            "not-kept": version || isDraft ? null : "The requested file was not saved as a version.",
            detail: [
                editors.length && `Edited by ${list(editors.map(authorWords))}.`,
                counting.length && `Approved by ${list(counting)}.`,
            ].filter(Boolean).join(" "),
            voided: voidedWords(file, voided),
            extra: extraApprovalWords(file),
        });
        const link = part(row, "host");
        link.hidden = !version && !isDraft;
        link.href = version && file.version !== version ? versionAddress(slug, host, version) : publishAddress(slug, { host, version });
        part(row, "now").hidden = !link.hidden;
        part(row, "now").href = publishAddress(slug, { host });
        part(row, "sha256").title = `SHA-256 ${sha256}`;
        showState(part(row, "state"), standing(file));
        return row;
    }
}

const edits = { token: "a token edited", operator: "the operator’s command edited" };

/** Why a file needs one approval more than the policy requires, or null: its editor may be the person who approves it. */
function extraApprovalWords({ editors, required, live }) {
    const kinds = editors.map(({ kind }) => kind).filter((kind) => kind !== "user");
    if (!kinds.length || !required || live) return null;
    const edit = edits[kinds.find((kind) => edits[kind])];
    const why = edit ? `${edit} the file and the person behind it is not known` : "it is not known who edited the file";
    return `One more approval is needed, because ${why}.`;
}

/** Such as "No longer counts: ada@example.com, because the person is no longer a member." */
function voidedWords(file, voided) {
    const reasons = file.approvedBy.map((approver) => [approver, voided(file, approver)]).filter(([, reason]) => reason);
    const words = [...Map.groupBy(reasons, ([, reason]) => reason)].map(
        ([reason, of]) => `${list(of.map(([approver]) => approver))}, because ${reason}`,
    );
    return words.length ? `No longer counts: ${words.join("; ")}.` : null;
}

function standing({ outdated, live, required, given }) {
    if (live) return { words: "Live", tone: "good" };
    if (outdated) return edited;
    if (required === 0) return { words: "No approval required", tone: "quiet" };
    if (given >= required) return { words: "Approved", tone: "good" };
    return { words: `${number(given)} of ${number(required)} approvals`, tone: "accent" };
}

/** An approval that no longer counts for any file says so, and why. */
function review({ kind, text, author, createdAt }, files, voided) {
    const recorded = files.filter(({ approvedBy }) => approvedBy.includes(author.name));
    const approved = kind !== "approval" ? [] : recorded.length ? recorded : [null];
    const reasons = approved.map((file) => [file?.host, voided(file, author.name)]).filter(([, reason]) => reason);
    const isVoid = reasons.length > 0 && reasons.length === approved.length;
    const where = isVoid ? "" : ` for ${list(reasons.map(([host]) => host))}`;
    const why = list([...new Set(reasons.map(([, reason]) => reason))]);
    const row = clone("review", {
        author: authorWords(author),
        act: acts[kind],
        text,
        void: isVoid ? "No longer counts" : null,
        "void-reason": reasons.length ? `This approval no longer counts${where}, because ${why}.` : null,
    });
    showAgo(part(row, "time"), createdAt);
    return row;
}
