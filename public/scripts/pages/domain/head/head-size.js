import { part } from "../../../shared/page/template.js";

/**
 * Measures the head that stays, whose lines wrap, so that the tester stands below it and no focus is hidden by it. On a
 * narrow screen its rows stay one by one, and the style sheet knows their size.
 */
export function measureHead(main) {
    const bar = part(main, "bar");
    const { style } = document.documentElement;
    new ResizeObserver(() => {
        if (bar.offsetHeight) style.setProperty("--head-size", `${bar.offsetHeight}px`);
        else style.removeProperty("--head-size");
    }).observe(bar);
}
