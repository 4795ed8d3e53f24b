import { words } from "../../shared/api/problem.js";
import { openDialog } from "../../components/dialogs.js";
import { onSubmit } from "../../shared/forms/form.js";
import { markTyping } from "../../shared/forms/typed-work.js";
import { copies } from "../../shared/page/clipboard.js";
import { clone, fill, part } from "../../shared/page/template.js";
import { memberRights } from "../../shared/words/role-words.js";
import { limitOf, offerLimit } from "./role-limit.js";
import { roleChoices } from "./role-choices.js";

/**
 * Asks whom to invite, at first `person`, and invites each. `invited` gets the results: invitations with their links, or
 * `{ email, problem }`.
 */
export function invitePeople({ api, organization, me }, invited, person = null) {
    const { dialog, part: each } = openDialog("invite");
    each("roles").append(...roleChoices(organization.role, memberRights));
    const form = each("form");
    const { sendsMail } = me.installation;
    each("delivery-field").hidden = !sendsMail;
    each("hand-over-hint").hidden = sendsMail;
    if (person) {
        const { emails, name, role } = form.elements;
        [emails.value, name.value, role.value] = [person.email, person.name ?? "", person.role];
    }
    offerLimit(form, each("limit"), api, person?.labels);
    // A name is of one person.
    form.elements.emails.addEventListener("input", ({ target }) => (each("name-field").hidden = addresses(target.value).length > 1));
    onSubmit(form, async ({ emails, role, labels, name, lifetimeSeconds, delivery }) => {
        const people = addresses(emails ?? "");
        const shared = {
            role,
            ...limitOf({ role, labels }),
            lifetimeSeconds: Number(lifetimeSeconds),
            ...(sendsMail && { delivery }),
        };
        if (people.length < 2) {
            const { body } = await api.post("/invitations", { email: people[0] ?? "", ...(name && { name }), ...shared });
            return finish([body]);
        }
        const results = [];
        for (const email of people) results.push(await invite(email));
        if (results.every(({ problem }) => problem)) throw results[0].problem.at("/email", failures(results));
        finish(results);

        async function invite(email) {
            try {
                return (await api.post("/invitations", { email, ...shared })).body;
            } catch (problem) {
                if (!problem.status || problem.is("confirmation_required")) throw problem;
                return { email, problem };
            }
        }
    });

    function finish(results) {
        markTyping(form, false);
        dialog.close();
        invited(results);
    }
}

/** The addresses of a text, which separates them by commas, semicolons, spaces or lines. Each only once. */
function addresses(text) {
    return [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
}

function failures(results) {
    return results.map(({ email, problem }) => `${email}: ${reason(problem)}`).join(" ");
}

function reason(problem) {
    return problem.errors.length ? problem.errors.map(({ detail }) => detail).join(" ") : words(problem);
}

/** Shows the links of invitations once. They are only in the text of the dialog, and leave the page with it. */
export async function showLinks(results, texts) {
    const { closed, part: each } = openDialog("invitation-links", texts);
    each("links").append(...results.map(linkItem));
    each("once").hidden = !results.some(({ link }) => link);
    each("links").querySelector("button:not([hidden])")?.focus();
    const forget = () => each("links").replaceChildren();
    // The browser may keep a page that the user leaves, to show it again.
    window.addEventListener("pagehide", forget, { once: true });
    await closed;
    window.removeEventListener("pagehide", forget);
    forget();
}

function linkItem({ email, link, problem }) {
    const failure = problem && `Not invited: ${reason(problem)}`;
    const item = clone("invitation-link", { email, link: link ?? null, failure });
    part(item, "copyable").hidden = !link;
    copies(part(item, "copy"), () => part(item, "link").textContent);
    part(item, "copy").setAttribute("aria-label", `Copy the link for ${email}`);
    return item;
}
