import { announce } from "../../components/announce.js";
import { offerCurl } from "../../components/curl.js";
import { at } from "../../shared/api/api.js";
import { onSubmit } from "../../shared/forms/form.js";
import { addressWithOrganization, publishAddress } from "../../shared/page/addresses.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { showAgo } from "../../shared/times/moments.js";
import { list, number } from "../../shared/words/numbers.js";
import { showState } from "../../shared/words/states.js";
import { approvalStates } from "./approval-states.js";

const acts = { comment: "commented", approval: "approved", rejection: "rejected the request" };
const news = { approvals: "Approved.", rejections: "Rejected.", comments: "Comment added.", cancel: "Request cancelled." };

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
        this.#fill((await this.#session.api.get(this.#path)).body);
        onSubmit(part(this.#root, "form"), (values, form, button) => this.#review(button.name, values.text, form));
    }

    async #review(act, text, form) {
        const { api } = this.#session;
        const body = act === "rejections" ? { reason: text ?? "" } : { text: text ?? "" };
        const answer = await (act === "cancel" ? api.delete(this.#path) : api.post(`${this.#path}/${act}`, body));
        form.reset();
        this.#fill(answer.body);
        announce(news[act]);
        if (form.hidden) part(this.#root, "title").focus();
    }

    #fill(request) {
        const { message, requestedBy, createdAt, state, files, reviews } = request;
        const root = this.#root;
        fill(root, { title: message, requester: requestedBy.name });
        showAgo(part(root, "time"), createdAt);
        showState(part(root, "state"), approvalStates[state]);
        part(root, "files").replaceChildren(...files.map((file) => this.#file(file)));
        part(root, "reviews").replaceChildren(...reviews.map(review));
        part(root, "no-reviews").hidden = reviews.length > 0;
        const isEnded = request.endedAt !== null;
        part(root, "form").hidden = isEnded;
        const { email } = this.#session.me.user;
        part(root, "approve").hidden = files.every(({ editors, outdated }) => outdated || editors.some(isPerson(email)));
        const isOwn = isPerson(email)(requestedBy) && files.every(({ approvedBy }) => approvedBy.length === 0);
        part(root, "cancel").hidden = !isOwn && !this.#session.can("giveApproval");
    }

    #file(file) {
        const { host, version, editors, approvedBy } = file;
        const edited = editors.length ? `Edited by ${list(editors.map(({ name }) => name))}.` : "";
        const approved = approvedBy.length ? ` Approved by ${list(approvedBy)}.` : "";
        const row = clone("file", { host, version: version ? `version ${version}` : null, detail: edited + approved });
        part(row, "host").href = publishAddress(this.#session.organization.slug, { host, version });
        showState(part(row, "state"), standing(file));
        return row;
    }
}

const isPerson = (email) => ({ kind, name }) => kind === "user" && name === email;

function standing({ outdated, live, required, given }) {
    if (live) return { words: "Live", tone: "good" };
    if (outdated) return { words: "Edited since the request", tone: "warning" };
    if (given >= required) return { words: "Approved", tone: "good" };
    return { words: `${number(given)} of ${number(required)} approvals`, tone: "accent" };
}

function review({ kind, text, author, createdAt }) {
    const row = clone("review", { author: author.name, act: acts[kind], text });
    showAgo(part(row, "time"), createdAt);
    return row;
}
