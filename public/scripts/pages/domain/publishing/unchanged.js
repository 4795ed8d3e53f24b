import { part } from "../../../shared/page/template.js";

/** Whether an answer says that nothing was published, because the live file is the same. */
export function isUnchanged({ outcome }) {
    return outcome === "unchanged";
}

/** Says so in the form that asked. */
export function showUnchanged(form) {
    part(form, "unchanged").hidden = false;
    part(form, "submit").hidden = true;
    part(form, "unchanged").focus();
}
