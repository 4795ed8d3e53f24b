import { characterKeys, registerKeys, showKeys } from "../../../components/keys/keys.js";
import { part } from "../../../shared/page/template.js";

const listed = [
    { keys: ["ArrowUp", "ArrowDown"], words: "Go to another rule" },
    { keys: ["ArrowLeft", "ArrowRight"], words: "Go to the buttons of a rule" },
    { keys: "Enter", words: "Edit the rule, or save it" },
    { keys: ["a", "b"], words: "Insert a rule above or below" },
    { keys: "d", words: "Duplicate" },
    { keys: "x", words: "Keep on the web, or open the app" },
    { keys: ["Alt+ArrowUp", "Alt+ArrowDown"], words: "Move" },
    { keys: "Delete", words: "Delete" },
    { keys: "Space", words: "Select" },
    { keys: ["Shift+ArrowUp", "Shift+ArrowDown"], words: "Select several" },
    { keys: "Mod+a", words: "Select all" },
];

/**
 * The keys in the lists of rules. A row is one stop of the Tab key; inside, the arrow keys move to its controls, and
 * from row to row. The other keys do what the row's menu does, with the selection if the row is part of it.
 */
export function followKeys(section, { actions, selection }) {
    const root = part(section, "entries");
    registerKeys(listed, "Rules");
    part(section, "show-keys").addEventListener("click", showKeys);
    root.addEventListener("keydown", (event) => {
        const row = event.target.closest(".rule[data-key]");
        if (!row || event.isComposing || event.target.closest("form, [role=menu]")) return;
        const key = [event.altKey && "Alt", (event.ctrlKey || event.metaKey) && "Ctrl", event.shiftKey && "Shift"]
            .filter(Boolean).concat(event.key.length === 1 ? event.key.toLowerCase() : event.key).join("+");
        if (/^[a-z]$/.test(key) && !characterKeys.areOn) return;
        const isOnRow = event.target === row;
        const action = moves(root, row, event.target)[key] ?? (canEdit() && changes(row, isOnRow)[key]);
        if (!action) return;
        event.preventDefault();
        action();
    });

    function changes({ dataset: { key: id } }, isOnRow) {
        const ids = selection.including(id);
        return {
            a: () => actions.insert([id], 0),
            b: () => actions.insert([id], 1),
            d: () => actions.duplicate(ids),
            x: () => actions.exclude(ids),
            Delete: () => actions.remove(ids),
            Backspace: () => actions.remove(ids),
            "Alt+ArrowUp": () => actions.nudge(ids, -1),
            "Alt+ArrowDown": () => actions.nudge(ids, 1),
            "Ctrl+a": () => selection.selectAll(),
            "Shift+ArrowUp": () => extend(id, -1),
            "Shift+ArrowDown": () => extend(id, 1),
            ...(isOnRow && { Enter: () => actions.edit([id]), " ": () => selection.toggle(id) }),
            ...(selection.size && { Escape: () => selection.clear() }),
        };
    }

    function extend(id, by) {
        const rows = visibleRows(root);
        const from = rows.findIndex(({ dataset }) => dataset.key === id);
        const next = rows[from + by];
        if (!selection.has(id)) selection.toggle(id);
        if (!next) return;
        selection.extendTo(next.dataset.key);
        next.focus();
    }
}

/** Moves of the focus: to the row's controls, and to the same control of other rows. */
function moves(root, row, target) {
    const stops = [row, ...controlsOf(row)];
    const at = stops.indexOf(target);
    const inRow = (index) => () => stops[Math.min(Math.max(index, 0), stops.length - 1)].focus();
    const toRow = (find) => () => {
        const rows = visibleRows(root);
        const other = find(rows, rows.indexOf(row));
        if (other) (controlsOf(other).find(({ dataset }) => dataset.part && dataset.part === target.dataset.part) ?? other).focus();
    };
    return {
        ArrowLeft: inRow(at - 1),
        ArrowRight: inRow(at + 1),
        Home: inRow(0),
        End: inRow(stops.length - 1),
        ArrowUp: toRow((rows, index) => rows[index - 1]),
        ArrowDown: toRow((rows, index) => rows[index + 1]),
        "Ctrl+Home": toRow((rows) => rows[0]),
        "Ctrl+End": toRow((rows) => rows.at(-1)),
    };
}

function visibleRows(root) {
    return [...root.querySelectorAll(".rule[data-key]:not([data-editing])")].filter((row) => row.checkVisibility());
}

function controlsOf(row) {
    const controls = row.querySelectorAll(".rule-resting :is(button, a[href], input)");
    return [...controls].filter((control) => control.checkVisibility());
}

export function canEdit() {
    return document.body.dataset.can?.split(" ").includes("editor") ?? false;
}
