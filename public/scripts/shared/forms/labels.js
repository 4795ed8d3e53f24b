/** "staging, brand acme" → ["staging", "brand acme"], each once: a label may hold spaces, commas stand between labels. */
export function parseLabels(text) {
    const labels = (text ?? "").split(",").map((label) => label.trim()).filter(Boolean);
    return [...new Set(labels)];
}
