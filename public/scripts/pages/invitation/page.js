import { Api } from "../../shared/api/api.js";
import { forgetMembership } from "../../shared/api/membership.js";
import { words } from "../../shared/api/problem.js";
import { goToSignIn } from "../../shared/api/sign-in-address.js";
import { signedInUser } from "../../shared/api/signed-in-user.js";
import { markTyping } from "../../shared/forms/typed-work.js";
import { onPress, onSubmit } from "../../shared/forms/form.js";
import { addressWithOrganization } from "../../shared/page/addresses.js";
import { fill, part } from "../../shared/page/template.js";
import { showMoment } from "../../shared/times/moments.js";
import { allRights, grantWords } from "../../shared/words/role-words.js";
import { offerReveal } from "../../components/passwords.js";
import { signInByProvider } from "../../components/provider-sign-in.js";

const main = document.getElementById("main");
const api = new Api();

/** The code is after the `#`, which browsers do not send. It stays there until the invitation is accepted. */
const code = location.hash.slice(1);

/** Opening the link changes nothing: programs that check mails open links, too. */
async function show() {
    const [invitation, user] = await Promise.all([read(), signedInUser(api)]);
    part(main, "loading").hidden = true;
    if (!invitation) return showUnknown();
    const { organization, email, name, role, invitedBy, expiresAt } = invitation;
    document.title = `Join ${organization.name} · Waymark`;
    fill(main, { title: `Join ${organization.name}`, inviter: invitedBy, organization: organization.name, email });
    fill(main, { role: grantWords(invitation), may: allRights(role), "other-person": user?.email, "ready-person": user?.email });
    part(main, "join").textContent = `Join ${organization.name}`;
    part(main, "username").value = email;
    document.getElementById("name").value = name ?? "";
    showMoment(part(main, "until"), expiresAt);
    part(main, "known").hidden = false;
    const step = nextStep(invitation, user);
    part(main, step).hidden = false;
    if (step === "new" && invitation.provider) offerProvider(invitation);
}

function offerProvider({ organization: { slug }, provider }) {
    const root = part(main, "by-provider");
    const button = part(root, "join-by-provider");
    button.textContent = `Join with ${new URL(provider).host}`;
    onPress(
        button,
        () => signInByProvider({ organization: slug, invitation: code }, addressWithOrganization("/", slug)),
        (problem) => fill(root, { problem: words(problem) }),
    );
    root.hidden = false;
}

function nextStep({ email, hasAccount }, user) {
    if (user) return user.email.toLowerCase() === email.toLowerCase() ? "ready" : "other";
    return hasAccount ? "existing" : "new";
}

async function read() {
    try {
        return code ? (await api.post("/invitation-views", { code })).body : null;
    } catch (problem) {
        if (problem.code === "unknown_invitation") return null;
        throw problem;
    }
}

function showUnknown() {
    fill(main, { title: "This invitation does not work" });
    part(main, "unknown").hidden = false;
}

async function join(fields = {}) {
    const { slug } = (await api.post("/invitation-views", { code })).body.organization;
    await api.post("/invitation-acceptances", { code, ...fields });
    markTyping(part(main, "new"), false);
    location.replace(addressWithOrganization("/", slug));
}

async function signOut() {
    await api.delete("/session");
    forgetMembership();
    sessionStorage.clear();
    location.reload();
}

function fail(problem) {
    part(main, "loading").hidden = true;
    fill(main, { failure: words(problem) });
    part(main, "failure").focus();
}

offerReveal(main);
onSubmit(part(main, "new"), ({ name }, form) => join({ name, password: form.elements.password.value }));
onPress(part(main, "join"), () => join(), fail);
onPress(part(main, "sign-out"), signOut, fail);
part(main, "sign-in").addEventListener("click", goToSignIn);
window.addEventListener("hashchange", () => location.reload());
show().catch(fail);
