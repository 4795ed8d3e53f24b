import { SavedTests } from "./saved-tests.js";

/** The part "Tests". Returns the saved tests, and the function that updates them. */
export function openPart(page) {
    const tests = new SavedTests(page);
    tests.addEventListener("url-wanted", ({ detail }) => page.tryURL(detail));
    return { tests, updates: { tests: () => tests.show() } };
}
