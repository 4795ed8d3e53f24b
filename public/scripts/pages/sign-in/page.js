import { Api } from "../../shared/api/api.js";
import { onPress, onSubmit } from "../../shared/forms/form.js";
import { markTyping } from "../../shared/forms/typed-work.js";
import { words } from "../../shared/api/problem.js";
import { atPassword, offerReveal } from "../../components/passwords.js";
import { offerPasskey } from "../../components/passkeys.js";
import { signInByProvider } from "../../components/provider-sign-in.js";
import { SecondFactorForm } from "../../components/second-factor.js";
import { codeOf, returnAddress } from "../../shared/api/sign-in-address.js";
import { signedInUser } from "../../shared/api/signed-in-user.js";
import { fill, part } from "../../shared/page/template.js";

const main = document.getElementById("main");
const question = part(main, "question");

/** The code of the link in the question. */
let asked = null;

/**
 * The code is after the `#`, which browsers do not send, so it reaches no server log and no referrer. It is removed
 * from the address immediately, so that it does not stay in the history either.
 */
function takeCodeFromAddress() {
    const code = location.hash.slice(1);
    if (code) history.replaceState(null, "", location.pathname + location.search);
    return code;
}

const secondFactor = new SecondFactorForm(part(main, "second-factor"), () => {
    say("");
    const others = ["password-form", "by-provider", "by-link"].map((name) => part(main, name));
    for (const each of [question, ...others]) each.hidden = true;
});

/** Signs in by a proof, and by a code if the account has a second factor. */
function signIn(proof) {
    return secondFactor.start(async (more) => {
        const { organizations } = (await new Api().post("/session", { ...proof, ...more })).body;
        markTyping(part(main, "form"), false);
        location.replace(organizations.length ? returnAddress() : "/account#organizations");
    });
}

/**
 * Signs in, but asks first if the user is signed in already: a link sent by another user would otherwise make every
 * following action theirs.
 */
async function signInUnlessSignedIn(code) {
    const person = await signedInUser(new Api());
    if (person) ask(person, code);
    else await signIn({ code });
}

function ask({ email }, code) {
    fill(main, { person: email, "same-person": email });
    say("");
    question.hidden = false;
    asked = code;
    document.getElementById("question-title").focus();
}

async function signInByPassword({ email }, form) {
    try {
        await signIn({ email: email ?? "", password: form.elements.password.value });
    } catch (problem) {
        throw atPassword(problem, "The e-mail address or the password is wrong.");
    }
}

async function signInByLink(code) {
    say("Signing you in…");
    try {
        await signInUnlessSignedIn(code);
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
            ? "This sign-in link has been used already or has expired. Create a new one as shown below."
            : words(error);
    problem.hidden = false;
    part(main, "by-link").open = true;
}

function showReason() {
    const address = new URLSearchParams(location.search);
    if (address.has("signed-out")) say("You are signed out.");
    else if (address.has("from")) say("Sign in to continue to your page.");
}

/** What a visitor can do depends on the installation. */
async function showRights() {
    const { signUp, sendsMail } = (await new Api().get("/installation")).body;
    part(main, "forgot").hidden = !sendsMail;
    part(main, "forgot-without-mail").hidden = sendsMail;
    part(main, "no-account").hidden = signUp;
    part(main, "sign-up").hidden = !signUp;
}

/** A link to this page can name the organization whose provider signs people in. */
function offerProvider() {
    const form = part(main, "provider-form");
    const address = new URLSearchParams(location.search);
    const named = address.get("organization");
    form.elements.organization.value = named ?? "";
    part(main, "by-provider").open = Boolean(named);
    onSubmit(form, async ({ organization }) => {
        await signInByProvider({ organization: organization ?? "", again: address.has("again") }, returnAddress());
        markTyping(form, false);
    });
}

offerReveal(main);
offerProvider();
// Without an answer, the page works as before.
showRights().catch(() => {});
onSubmit(part(main, "password-form"), signInByPassword);
offerPasskey(part(main, "use-passkey"), { isAlone: true }, signIn, (problem) =>
    fill(part(main, "password-form"), { problem: words(problem) }),
);
onSubmit(part(main, "form"), ({ link }) => signInUnlessSignedIn(codeOf(link ?? "")));
onPress(part(question, "replace"), () => signIn({ code: asked }), showProblem);
part(question, "stay").addEventListener("click", () => location.replace(returnAddress()));

const code = takeCodeFromAddress();
if (code) signInByLink(code);
else showReason();

// A link pasted into the address bar of this page changes only the text after the `#`.
window.addEventListener("hashchange", () => {
    const next = takeCodeFromAddress();
    if (next) signInByLink(next);
});
