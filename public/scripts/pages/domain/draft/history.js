import { announce } from "../../../components/announce.js";
import { later, soon } from "../../../components/later.js";
import { Problem, words } from "../../../shared/api/problem.js";
import { applyOrAsk, askInstead } from "./conflict.js";
import { rewriting } from "./edits.js";

const steps = () => later(() => import("./steps.js"));

/** The most steps that are kept. */
const maximumSteps = 200;

/**
 * Undo and redo of the edits made in this tab, until the user signs out. Another page keeps them unless the draft
 * changes in the meantime. A step is undone by applying the opposite change to the newest draft, so other users' changes
 * stay; if that would overwrite one, a notice asks first.
 *
 * Sends `change` when there is something else to undo or redo, and `replay` (`detail`: `{ from, to }`) when a step has
 * been undone or redone.
 */
export class History extends EventTarget {
    #page;
    #key;
    #kept;
    #done = [];
    #undone = [];
    #turn = Promise.resolve();

    constructor(page) {
        super();
        const { me, organization } = page.session;
        this.#page = page;
        this.#key = `undo:${me.user?.id}:${organization.slug}:${page.host}`;
        this.#kept = sessionStorage.getItem(this.#key);
        page.document.addEventListener("edit", ({ detail }) => this.#record(detail));
        page.document.follow(() => soon(() => this.#restore()));
    }

    /** The newest step to undo or redo, or undefined. */
    get latest() {
        return this.#done.at(-1);
    }

    get next() {
        return this.#undone.at(-1);
    }

    /** Undoes the newest step, or an earlier one. */
    undo(step) {
        return this.#queue(() => this.#undo(step ?? this.latest));
    }

    redo(step) {
        return this.#queue(() => this.#redo(step ?? this.next));
    }

    /** One after another, so that quick keys undo one step each. */
    #queue(action) {
        this.#turn = this.#turn.then(action).catch((error) => announce(words(error)));
        return this.#turn;
    }

    async #undo(step) {
        if (!this.#done.includes(step)) return;
        if (!(await this.#replay(step.after, step.before))) return;
        await this.#move(step, this.#done, this.#undone);
        announce(`Undone: ${step.words}.`);
    }

    async #redo(step) {
        if (!this.#undone.includes(step)) return;
        if (!(await this.#replay(step.before, step.after))) return;
        await this.#move(step, this.#undone, this.#done);
        announce(`Done again: ${step.words}.`, { undo: () => this.undo(step) });
    }

    #record({ edit, before, after }) {
        if (edit.isReplay) return;
        this.#done.push({ before, after });
        this.#done.splice(0, this.#done.length - maximumSteps);
        this.#undone = [];
        soon(() => this.#keep());
    }

    #move(step, from, to) {
        from.splice(from.indexOf(step), 1);
        to.push(step);
        return this.#keep();
    }

    /** Keeps the steps in the tab, for the next page. The draft may change before the script arrives. */
    async #keep() {
        const now = [this.#page.document.draft, [...this.#done], [...this.#undone]];
        const { keepSteps, named } = await steps();
        [...this.#done, ...this.#undone].forEach(named);
        keepSteps(this.#key, ...now);
        this.dispatchEvent(new Event("change"));
    }

    /** Once, when the draft has been loaded. */
    async #restore() {
        const kept = this.#kept;
        this.#kept = null;
        if (!kept) return;
        const { draft } = this.#page.document;
        const { keptSteps } = await steps();
        // An edit may have been faster.
        if (this.#page.document.draft !== draft) return;
        [this.#done, this.#undone] = keptSteps(kept, draft);
        this.dispatchEvent(new Event("change"));
    }

    async #replay(from, to) {
        try {
            return await this.#apply(from, to, { overwrites: false });
        } catch (problem) {
            if (!problem.is?.("overlap")) throw problem;
        }
        return (await askInstead(this.#page.parts.place)) && this.#apply(from, to, { overwrites: true });
    }

    async #apply(from, to, { overwrites }) {
        const { rebase } = await steps();
        const edit = rewriting((content) => {
            const { draft, overlaps } = rebase(content, from, to);
            if (overlaps && !overwrites) throw new Problem({ code: "overlap", detail: "This has been changed in the meantime." });
            return draft;
        });
        edit.isReplay = true;
        const isDone = await applyOrAsk(this.#page.document, edit, this.#page.parts.place);
        if (isDone) this.dispatchEvent(new CustomEvent("replay", { detail: { from, to } }));
        return isDone;
    }
}

/** Says what the newest step did, with a button that undoes it. */
export function announceStep({ history }, text) {
    const step = history.latest;
    announce(text, { undo: () => history.undo(step) });
}
