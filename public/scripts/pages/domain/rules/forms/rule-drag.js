/**
 * Drags a rule by its handle, from the event `pointerdown`, with mouse, pen or finger, also into another entry's list. A
 * line shows where the rule would land; Escape cancels. The menu and keys do the same.
 */
export function drag(handle, { pointerId, clientY }, moved) {
    const row = handle.closest(".rule");
    const start = targetAt(row, { clientX: 0, clientY: row.getBoundingClientRect().top }, null);
    let target = null;
    const ending = new AbortController();
    const listen = (name, action) => handle.addEventListener(name, action, { signal: ending.signal });

    try {
        handle.setPointerCapture(pointerId);
    } catch {
        // The finger is up already.
    }
    // The user has let go before this script arrived.
    if (!handle.hasPointerCapture(pointerId)) return;
    listen("pointermove", (event) => {
        if (!target && Math.abs(event.clientY - clientY) < 4) return;
        row.classList.add("is-dragged");
        target = targetAt(row, event, target);
        showTarget(target);
    });
    listen("pointerup", () => end(target));
    listen("pointercancel", () => end(null));
    document.addEventListener("keydown", (event) => event.key === "Escape" && end(null), { signal: ending.signal });

    function end(chosen) {
        ending.abort();
        row.classList.remove("is-dragged");
        showTarget(null);
        const isElsewhere = chosen && (chosen.list !== start.list || chosen.position !== start.position);
        if (isElsewhere) moved(row.dataset.key, { entry: chosen.list.dataset.entry, position: chosen.position });
    }
}

/**
 * The list under the pointer, and the position that the rule would have in it among the rules that stay. Selected rules
 * move together.
 */
function targetAt(row, { clientX, clientY }, previous) {
    const under = document.elementFromPoint(clientX, clientY)?.closest(".rule-list");
    const list = under ?? previous?.list ?? row.parentElement;
    const isMoved = (each) => each === row || (row.ariaSelected === "true" && each.ariaSelected === "true");
    const others = [...list.querySelectorAll(".rule[data-key]")].filter((each) => !isMoved(each));
    const visible = others.filter((each) => !each.hidden);
    const before = visible.find((each) => middle(each) >= clientY);
    const after = visible.findLast((each) => middle(each) < clientY);
    return { list, position: before ? others.indexOf(before) : others.length, before, after };
}

function middle(element) {
    const { top, height } = element.getBoundingClientRect();
    return top + height / 2;
}

function showTarget(target) {
    for (const marked of document.querySelectorAll("[data-drop]")) delete marked.dataset.drop;
    if (target?.before) target.before.dataset.drop = "before";
    else if (target?.after) target.after.dataset.drop = "after";
}
