import { clone, part } from "../../shared/page/template.js";
import { openDialog } from "../dialogs.js";
import { characterKeys, keyElements, keysByGroup } from "./keys.js";

/** Lists the keys of the page, the page's own groups first. */
export function openKeys() {
    const { part } = openDialog("keys");
    const groups = [...keysByGroup()].sort(([one], [other]) => (one === "Everywhere") - (other === "Everywhere"));
    part("groups").replaceChildren(...groups.map(([name, keys]) => keyGroup(name, keys)));
    part("characters").checked = characterKeys.areOn;
    part("characters").addEventListener("change", ({ target }) => (characterKeys.areOn = target.checked));
}

function keyGroup(name, keys) {
    const group = clone("key-group", { name });
    part(group, "rows").append(...keys.map(keyRow));
    return group;
}

function keyRow({ keys, words }) {
    const row = clone("key-row", { words });
    const alternatives = keys.flatMap((each, index) => [...(index ? [" or "] : []), keyElements(each)]);
    part(row, "keys").append(...alternatives);
    return row;
}
