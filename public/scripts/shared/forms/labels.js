/** "staging, brand acme" → ["staging", "brand acme"], each once. A label may contain spaces; commas separate labels. */
export function parseLabels(text) {
    const labels = (text ?? "").split(",").map((label) => label.trim()).filter(Boolean);
    return [...new Set(labels)];
}
