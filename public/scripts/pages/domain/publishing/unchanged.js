import { part } from "../../../shared/page/template.js";

/** Whether nothing was published because the live file is the same. */
export function isUnchanged({ outcome }) {
    return outcome === "unchanged";
}

/** Shows in the form that nothing was published. */
export function showUnchanged(form) {
    part(form, "unchanged").hidden = false;
    part(form, "submit").hidden = true;
    part(form, "unchanged").focus();
}
