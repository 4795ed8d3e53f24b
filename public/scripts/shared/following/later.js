/** Runs `action` once the calls have paused, for example after typing. */
export function afterPause(milliseconds, action) {
    let timer;
    return (...values) => {
        clearTimeout(timer);
        timer = setTimeout(() => action(...values), milliseconds);
    };
}

export function pause(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits until the page is visible. */
export function untilVisible() {
    if (!document.hidden) return Promise.resolve();
    return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}

/** Waits until the page gets the focus. */
export function untilFocused() {
    return new Promise((resolve) => window.addEventListener("focus", resolve, { once: true }));
}
