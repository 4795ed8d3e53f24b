/** Offers lines of JSON to the user as a file with this name. */
export function saveLines(texts, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(texts, { type: "application/x-ndjson" }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
}
