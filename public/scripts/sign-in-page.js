import { Api } from "./api.js";
import { onSubmit } from "./form.js";
import { words } from "./problem.js";
import { returnAddress } from "./sign-in-address.js";
import { part } from "./template.js";

const main = document.getElementById("main");

/**
 * The code stands behind the `#`, which browsers keep to themselves: it reaches no server log and no referrer. It is
 * taken out of the address at once, so that it does not stay in the history either.
 */
function takeCodeFromAddress() {
    const code = location.hash.slice(1);
    if (code) history.replaceState(null, "", location.pathname + location.search);
    return code;
}

async function signIn(code) {
    await new Api().post("/session", { code });
    location.replace(returnAddress());
}

/** A person may paste the whole link or only its end. */
function codeOf(text) {
    return text.slice(text.lastIndexOf("#") + 1).trim();
}

async function signInByLink(code) {
    say("Signing you in…");
    try {
        await signIn(code);
    } catch (error) {
        say("");
        showProblem(error);
    }
}

function say(text) {
    part(main, "status").textContent = text;
}

function showProblem(error) {
    const problem = part(main, "link-problem");
    problem.textContent =
        error.code === "invalid_code"
            ? "This sign-in link has been used before, or it is too old. Make a new one as shown below."
            : words(error);
    problem.hidden = false;
}

function showReason() {
    const asked = new URLSearchParams(location.search);
    if (asked.has("signed-out")) say("You are signed out.");
    else if (asked.has("from")) say("Sign in to see this page. You will be taken to it.");
}

onSubmit(part(main, "form"), ({ link }) => signIn(codeOf(link ?? "")));

const code = takeCodeFromAddress();
if (code) signInByLink(code);
else showReason();

// A link pasted into the address bar of this very page changes only what is behind the `#`.
window.addEventListener("hashchange", () => {
    const next = takeCodeFromAddress();
    if (next) signInByLink(next);
});
