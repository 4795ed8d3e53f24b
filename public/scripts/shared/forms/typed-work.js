/** Marks a form once the user has typed in it. The browser then asks before it leaves the page. */
export function noteTyping(form) {
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

// A form with `data-kept` loses nothing: its page restores its input.
window.addEventListener("beforeunload", (event) => {
    if (document.querySelector("form[data-typed-in]:not([data-kept])")) event.preventDefault();
});
