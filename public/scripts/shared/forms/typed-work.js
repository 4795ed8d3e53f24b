/** How often the user has typed in each form. */
const inputs = new WeakMap();

/**
 * Marks a form once the user has typed in it. The browser then asks before it leaves the page. A form with
 * `data-expendable` has nothing to lose, such as only a password.
 */
export function noteTyping(form) {
    form.addEventListener("input", () => ("expendable" in form.dataset ? count(form) : markTyping(form)));
}

/** `isTypedIn` is false after the input was saved, discarded or filled in again. */
export function markTyping(form, isTypedIn = true) {
    if (isTypedIn) {
        count(form);
        form.dataset.typedIn = "yes";
    } else {
        delete form.dataset.typedIn;
    }
}

export function isTypedIn(form) {
    return "typedIn" in form.dataset;
}

/** Returns a function, which returns whether the user has typed in the form since then. */
export function typingSince(form) {
    const first = inputs.get(form);
    return () => inputs.get(form) !== first;
}

function count(form) {
    inputs.set(form, (inputs.get(form) ?? 0) + 1);
}

// A form with `data-kept` loses nothing: its page restores its input.
window.addEventListener("beforeunload", (event) => {
    if (document.querySelector("form[data-typed-in]:not([data-kept])")) event.preventDefault();
});
