import { afterPause } from "../following/later.js";

const maximum = 20;

/** Suggests the organization's labels that begin with the text in `control`, in its `<datalist>`. */
export function suggestLabels(control, suggestions, api) {
    const show = async () => {
        const query = { q: control.value.trim(), limit: maximum };
        // Only suggestions: a failure leaves them as they are.
        const { body } = await api.get("/labels", { query }).catch(() => ({ body: { items: [] } }));
        if (body.items.length) suggestions.replaceChildren(...body.items.map(({ label }) => new Option(label, label)));
    };
    control.addEventListener("input", afterPause(150, show));
    control.addEventListener("focus", show, { once: true });
}
