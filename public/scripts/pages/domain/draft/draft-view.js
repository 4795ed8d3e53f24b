/** A draft to look things up in: the saved one, or the draft that an open form would save. */
export class DraftView {
    draft;

    constructor(draft = null) {
        this.draft = draft;
    }

    entry(id) {
        return this.draft.entries.find((entry) => entry.id === id);
    }

    /** A rule's place: `{ entry, rule, position }`, or null if it does not exist. */
    find(ruleID) {
        for (const entry of this.draft.entries) {
            const position = (entry.rules ?? []).findIndex((rule) => rule.id === ruleID);
            if (position >= 0) return { entry, rule: entry.rules[position], position };
        }
        return null;
    }
}
