/**
 * Lets the user choose a role in a `<select>`, which saves at once. Choices during a save wait for it: the last one is
 * saved then. `save(role)` resolves to false if the user did not want it after all. `saved(role, undo)` says so.
 */
export function chooseRole(select, first, { roles, save, saved, failed }) {
    let role = first;
    let isSaving = false;
    select.replaceChildren(...roles.map((each) => new Option(each, each)));
    select.value = role;

    const choose = async () => {
        if (isSaving) return;
        isSaving = true;
        const before = role;
        try {
            while (select.value !== role) {
                const wanted = select.value;
                if (await save(wanted)) role = wanted;
                else select.value = role;
            }
            if (role !== before) saved(role, () => ((select.value = before), choose()));
        } catch (problem) {
            select.value = role;
            failed(problem);
        } finally {
            isSaving = false;
        }
    };
    select.addEventListener("change", choose);
}
