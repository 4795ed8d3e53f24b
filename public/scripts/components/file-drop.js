/** Hands over the file that is dropped on `area` or chosen with `chooser`. */
export function takesFile(area, chooser, taken) {
    const take = (file) => file && taken(file);
    area.addEventListener("dragover", (event) => {
        event.preventDefault();
        area.classList.add("is-over");
    });
    area.addEventListener("dragleave", () => area.classList.remove("is-over"));
    area.addEventListener("drop", (event) => {
        event.preventDefault();
        area.classList.remove("is-over");
        take(event.dataTransfer.files[0]);
    });
    chooser.addEventListener("change", async () => {
        await take(chooser.files[0]);
        // So that the same file can be chosen again after a change.
        chooser.value = "";
    });
}

/**
 * Reads a file that is dropped or chosen. Any name is accepted, because these files have no extension. A file of more
 * than `maximum` bytes is not read: `tooLarge` gets its size.
 */
export function takesDroppedFile(area, chooser, taken, { maximum = Infinity, tooLarge } = {}) {
    takesFile(area, chooser, async (file) => {
        if (file.size > maximum) tooLarge(file.size);
        else taken(await file.arrayBuffer());
    });
}
