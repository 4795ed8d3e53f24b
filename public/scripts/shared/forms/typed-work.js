/**
 * Marks a form once the user has typed in it. The browser then asks before it leaves the page. A form with
 * `data-expendable` has nothing to lose, such as only a password.
 */
export function noteTyping(form) {
    if ("expendable" in form.dataset) return;
    form.addEventListener("input", () => markTyping(form));
}

/** `isTypedIn` is false after the input was saved, discarded or filled in again. */
export function markTyping(form, isTypedIn = true) {
    if (isTypedIn) form.dataset.typedIn = "yes";
    else delete form.dataset.typedIn;
}

export function isTypedIn(form) {
    return "typedIn" in form.dataset;
}

/** Returns a function, which returns whether the user has typed in the form since then. */
export function typingSince(form) {
    let hasTyped = false;
    form.addEventListener("input", () => (hasTyped = true), { once: true });
    return () => hasTyped;
}

// A form with `data-kept` loses nothing: its page restores its input.
window.addEventListener("beforeunload", (event) => {
    if (document.querySelector("form[data-typed-in]:not([data-kept])")) event.preventDefault();
});
