import { all, at } from "../../shared/api/api.js";
import { Problem, words } from "../../shared/api/problem.js";
import { openDialog } from "../../components/dialogs.js";
import { onSubmit } from "../../shared/forms/form.js";
import { clone, part } from "../../shared/page/template.js";

/**
 * Asks whether to remove a member, and removes them. A member leaves access behind: tokens whose secrets they know, and
 * trusts that they chose. The dialog offers to end these too. Resolves to null if the member stays, and otherwise to the
 * names of what was ended.
 */
export async function removeMember(session, { id, email }, name) {
    const { api } = session;
    const left = await accessOf(email, session);
    const { dialog, closed, part: each } = openDialog("remove-member", {
        title: `Remove ${name}?`,
        detail: `${email} is out within a second: their sessions can no longer read this organization. Their drafts, versions and events stay.`,
    });
    each("left").hidden = !left.length;
    each("choices").append(...left.map(({ box }) => box));
    let isRemoved = false;
    const ended = [];
    onSubmit(each("form"), async () => {
        if (!isRemoved) await api.delete(at`/members/${id}`);
        isRemoved = true;
        const failures = [];
        for (const access of left.filter(isChosen)) {
            try {
                await api.delete(access.path);
                ended.push(access.name);
                part(access.box, "input").disabled = true;
            } catch (problem) {
                failures.push(`${access.name} is still valid: ${words(problem)}`);
            }
        }
        if (failures.length) throw new Problem({ detail: [`${name} is removed.`, ...failures].join(" ") });
        dialog.close();
    });
    await closed;
    return isRemoved ? ended : null;
}

/** The tokens and trusts of a person that are valid, each with its checkbox. */
async function accessOf(email, { api, can }) {
    const [tokens, trusts] = await Promise.all([all(api, "/tokens"), all(api, "/trusts")]);
    const isOwn = ({ author }) => author?.kind === "user" && author.name === email;
    const access = (kind, path) => ({ id, name, role }) => {
        const box = clone("left-access", {
            words: `${kind} ${name}`,
            // Two tokens can have the same name.
            note: `ID …${id.slice(-8)}${can(role) ? "" : `. Only an ${role} can end it.`}`,
        });
        part(box, "input").disabled = !can(role);
        return { name, path: `${path}/${id}`, box };
    };
    return [
        ...tokens.filter(({ active }) => active).filter(isOwn).map(access("Token", "/tokens")),
        ...trusts.filter(isOwn).map(access("Trust", "/trusts")),
    ];
}

function isChosen({ box }) {
    const { checked, disabled } = part(box, "input");
    return checked && !disabled;
}
