import { at } from "../../shared/api/api.js";
import { openDialog } from "../../components/dialogs.js";
import { onSubmit } from "../../shared/forms/form.js";
import { tokenRights } from "../../shared/words/role-words.js";
import { limitOf, offerLimit } from "./role-limit.js";
import { roleChoices } from "./role-choices.js";

/** Asks for a new token, and creates it. `created` gets the answer, with the secret. */
export function createToken({ api, organization }, created) {
    const { dialog, part: each } = openDialog("new-token");
    each("roles").append(...roleChoices(organization.role, tokenRights));
    offerLimit(each("form"), each("limit"), api);
    onSubmit(each("form"), async ({ name, role, labels, days }) => {
        const life = days && { days: Number(days) };
        const { body } = await api.post("/tokens", { name: name ?? "", role, ...limitOf({ role, labels }), ...life });
        dialog.close();
        created(body);
    });
}

/** Asks how long the old token stays valid, and replaces it. `rotated` gets the answer, and that time in words. */
export function rotateToken({ api }, { id, name }, rotated) {
    const { dialog, part: each } = openDialog("rotate-token", { title: `Rotate token ${name}?` });
    onSubmit(each("form"), async ({ overlapSeconds }, form) => {
        const overlap = Number(overlapSeconds);
        const { body } = await api.post(at`/tokens/${id}/rotations`, { overlapSeconds: overlap });
        const words = overlap ? form.elements.overlapSeconds.selectedOptions[0].text : null;
        dialog.close();
        rotated(body, words);
    });
}
