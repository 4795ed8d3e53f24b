/** Makes a button copy a text; its label confirms it. Browsers allow this only over https and on localhost. */
export function copies(button, text) {
    const resting = button.textContent;
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(text());
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = resting), 2_000);
    });
}
