/** Runs the action of a button outside a form. Calls `failed` with its problem. */
export function onPress(button, action, failed) {
    button.addEventListener("click", () =>
        busy(button, button, async () => {
            try {
                await action();
            } catch (error) {
                failed(error);
            }
        }),
    );
}

/** Runs an action, and shows at its element and button that it is running. */
export async function busy(element, button, action) {
    if (button?.ariaDisabled === "true") return;
    element.ariaBusy = "true";
    if (button) button.ariaDisabled = "true";
    const { busy: doing } = button?.dataset ?? {};
    if (doing) [button.dataset.resting, button.textContent] = [button.textContent, doing];
    try {
        await action();
    } finally {
        element.ariaBusy = "false";
        if (button) button.ariaDisabled = "false";
        if (doing && button.textContent === doing) button.textContent = button.dataset.resting;
    }
}
