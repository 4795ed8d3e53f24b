/** Runs `action` once the calls have paused: for what follows typing. */
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

/** Waits until somebody sees the page. */
export function untilVisible() {
    if (!document.hidden) return Promise.resolve();
    return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}

/** Waits until somebody comes back to the page. */
export function untilFocused() {
    return new Promise((resolve) => window.addEventListener("focus", resolve, { once: true }));
}
