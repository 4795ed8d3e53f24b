import { later } from "../../../components/later.js";

/** Loads the forms and the menu when the first one opens, or before that when the user comes near. */
export const forms = () => later(() => import("./forms/all.js"), "domain/rule-forms");
