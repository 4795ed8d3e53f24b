/** Reads a file that is dropped on `area` or chosen with `chooser`. These files have no extension: any name will do. */
export function takesDroppedFile(area, chooser, taken) {
    const take = async (file) => file && taken(await file.arrayBuffer());
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
    chooser.addEventListener("change", () => take(chooser.files[0]));
}
