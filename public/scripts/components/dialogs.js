import { forgetNews } from "./announce.js";
import { isTypedIn } from "../shared/forms/typed-work.js";
import { clone, part, showHost, uniqueIDs } from "../shared/page/template.js";

/**
 * Opens `<template id="template-NAME">` as a modal dialog. The browser keeps the focus inside, closes the dialog on
 * Escape and restores the focus; a link to a place on the page closes it too. If the user has typed in its form, Escape
 * asks first. `closed` resolves to the value passed to `dialog.close(value)`.
 */
export function openDialog(name, texts) {
    forgetNews();
    const dialog = uniqueIDs(clone(name, texts));
    document.body.append(dialog);
    const heading = dialog.querySelector("h2");
    showHost(heading, heading.textContent);
    heading.id = `dialog-title-${++lastID}`;
    dialog.setAttribute("aria-labelledby", heading.id);
    dialog.addEventListener("click", ({ target }) => target.closest("[data-closes], a[href^='#']") && dialog.close());
    dialog.addEventListener("cancel", async (event) => {
        const form = dialog.querySelector("form");
        // A field of files sends this event too.
        if (event.target !== dialog || !form || !isTypedIn(form)) return;
        event.preventDefault();
        if (await mayClose(form)) dialog.close();
    });
    const closed = new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue)));
    dialog.showModal();
    markDialogs();
    closed.then(() => {
        dialog.remove();
        markDialogs();
    });
    return { dialog, closed, part: (each) => part(dialog, each) };
}

/** For the styles: the selector `:has(dialog)` would make the browser style the whole page again after many changes. */
function markDialogs() {
    document.body.toggleAttribute("data-has-dialog", document.querySelector("dialog[open]") !== null);
}

/** Asks before an action that cannot be undone. Escape and the `keep` button mean no. */
export async function confirm({ title, detail, action, keep = "Cancel" }) {
    const { closed, part } = openDialog("confirm", { title, detail, action, keep });
    part("action").addEventListener("click", (event) => event.target.closest("dialog").close("yes"));
    return (await closed) === "yes";
}

/** Asks before a form with unsaved input is closed. */
export async function mayClose(form, isChanged = isTypedIn(form)) {
    const texts = { title: "Discard your changes?", detail: "They have not been saved.", action: "Discard" };
    return !isChanged || (await confirm(texts));
}

let lastID = 0;
