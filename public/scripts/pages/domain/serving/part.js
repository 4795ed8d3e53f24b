import { Handover } from "./handover.js";
import { LiveFile } from "./live-file.js";
import { Serving } from "./serving.js";
import { ServingView } from "./serving-view.js";

/** The part "Serving". Returns the functions that update it. */
export function openPart(page) {
    page.serving ??= new Serving(page);
    new ServingView(page);
    new LiveFile(page);
    const handover = new Handover(page);
    return { updates: { serving: () => void page.serving.follow(), handover: () => handover.show() } };
}
