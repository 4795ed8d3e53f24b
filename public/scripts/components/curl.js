import { announce } from "./announce.js";
import { later } from "./later.js";
import { words } from "../shared/api/problem.js";

/** The requests that the finder offers to copy: `{ words, request }`. */
const offered = new Set();

/**
 * Offers a request of this page, in the finder and with a button if there is one: "Copy as curl". `request()` returns
 * the request as it is now, as `curlCommand` takes it, or throws a `Problem` if an input is missing. `words` says what
 * it does: "publish this draft".
 *
 * Returns a function that takes the offer back.
 */
export function offerCurl(words, request, button = null) {
    const offer = { words, request };
    offered.add(offer);
    if (button) offerButton(button, offer);
    return () => offered.delete(offer);
}

export function curlRequests() {
    return [...offered];
}

/** The button confirms the copy itself: a dialog hides the messages of the page. */
function offerButton(button, offer) {
    const resting = button.textContent;
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
        try {
            const { copyCurl } = await later(() => import("./curl-command.js"));
            if (!(await copyCurl(offer, button.form))) return;
        } catch (problem) {
            return announce(words(problem));
        }
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = resting), 2_000);
    });
}
