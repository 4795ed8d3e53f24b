import { forgetNews } from "./announce.js";
import { clone, part, uniqueIDs } from "../shared/page/template.js";

/**
 * Opens `<template id="template-NAME">` as a modal dialog. The browser keeps the focus inside, closes it on Escape and
 * gives the focus back afterwards; a link to a place on the page leaves it too. `closed` settles with the value that
 * `dialog.close(value)` was given.
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

/** Asks before something that cannot be taken back. Escape and "Cancel" mean no. */
export async function confirm({ title, detail, action }) {
    const { closed, part } = openDialog("confirm", { title, detail, action });
    part("action").addEventListener("click", (event) => event.target.closest("dialog").close("yes"));
    return (await closed) === "yes";
}

let lastID = 0;
