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
