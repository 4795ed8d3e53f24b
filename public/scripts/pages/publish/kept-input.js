/**
 * Keeps the input of a form in the tab, so that a reload, a failure or a detour to another page loses nothing. Restores
 * it now, and forgets it once `forget` is called, after it has been sent.
 */
export function keepInput(form) {
    const key = `publish:${location.pathname}${location.search}`;
    restore(form, JSON.parse(sessionStorage.getItem(key) ?? "{}"));
    form.dataset.kept = "yes";
    const keep = () => sessionStorage.setItem(key, JSON.stringify(current(form)));
    form.addEventListener("input", keep);
    return {
        forget() {
            form.removeEventListener("input", keep);
            sessionStorage.removeItem(key);
        },
    };
}

function current(form) {
    return Object.fromEntries(controls(form).map((each) => [keyOf(each), isBox(each) ? each.checked : each.value]));
}

function restore(form, kept) {
    const known = controls(form).filter((control) => keyOf(control) in kept);
    for (const control of known) control[isBox(control) ? "checked" : "value"] = kept[keyOf(control)];
    for (const control of known) control.dispatchEvent(new Event("input", { bubbles: true }));
}

function controls(form) {
    return [...form.elements].filter(({ name, type }) => name && type !== "submit");
}

/** The choices of a group have the same name. */
function keyOf({ name, type, value }) {
    return type === "radio" ? `${name}=${value}` : name;
}

function isBox({ type }) {
    return type === "radio" || type === "checkbox";
}
