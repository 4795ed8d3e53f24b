/** Makes a button copy a text and say so in its own label. Browsers allow it over https and on localhost only. */
export function copies(button, text) {
    const resting = button.textContent;
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(text());
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = resting), 2_000);
    });
}
