import { forgetNews } from "./announce.js";
import { clone, part, uniqueIDs } from "../shared/page/template.js";

/**
 * Opens `<template id="template-NAME">` as a modal dialog. The browser keeps the focus inside, closes the dialog on
 * Escape and restores the focus; a link to a place on the page closes it too. `closed` resolves to the value passed to
 * `dialog.close(value)`.
 */
export function openDialog(name, texts) {
    forgetNews();
    const dialog = uniqueIDs(clone(name, texts));
    document.body.append(dialog);
    const heading = dialog.querySelector("h2");
    heading.id = `dialog-title-${++lastID}`;
    dialog.setAttribute("aria-labelledby", heading.id);
    dialog.addEventListener("click", ({ target }) => target.closest("[data-closes], a[href^='#']") && dialog.close());
    const closed = new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue)));
    closed.then(() => dialog.remove());
    dialog.showModal();
    return { dialog, closed, part: (each) => part(dialog, each) };
}

/** Asks before an action that cannot be undone. Escape and the `keep` button mean no. */
export async function confirm({ title, detail, action, keep = "Cancel" }) {
    const { closed, part } = openDialog("confirm", { title, detail, action, keep });
    part("action").addEventListener("click", (event) => event.target.closest("dialog").close("yes"));
    return (await closed) === "yes";
}

let lastID = 0;
