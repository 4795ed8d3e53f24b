/** What the buttons of a version open, loaded together. */
export { openComparison } from "./version-comparison.js";
export { openVersionFile } from "./version-file.js";
export { openVersionTests } from "./version-tests.js";
