/** "staging, brand-acme" → ["staging", "brand-acme"], each once. */
export function parseLabels(text) {
    const labels = (text ?? "").split(/[\s,]+/).filter(Boolean);
    return [...new Set(labels)];
}
