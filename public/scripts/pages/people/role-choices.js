import { rolesUpTo } from "../../shared/api/session.js";
import { clone, part, uniqueIDs } from "../../shared/page/template.js";

/** Radio buttons for the roles up to `role`, with what each may do. The one with the fewest rights is chosen first. */
export function roleChoices(role, rights) {
    return rolesUpTo(role).map((each, index) => {
        const choice = uniqueIDs(clone("role", { name: each, may: rights[each] }));
        Object.assign(part(choice, "input"), { value: each, defaultChecked: index === 0 });
        return choice;
    });
}
