/** What publishing a version is called, everywhere: "Roll back to version 3", or "Publish version 5" if it is newer. */
export function versionAct(version, live) {
    return `${version < (live ?? 0) ? "Roll back to" : "Publish"} version ${version}`;
}
