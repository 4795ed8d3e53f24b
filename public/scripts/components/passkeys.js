import { Api } from "../shared/api/api.js";
import { Problem } from "../shared/api/problem.js";
import { onPress } from "../shared/forms/press.js";

/** Passkeys need a secure page with a host name: they do not work at an IP address. */
export function canUsePasskeys() {
    return "PublicKeyCredential" in window && /[a-z]/i.test(location.hostname) && !location.hostname.includes(":");
}

/**
 * Shows a button that uses a passkey if the browser can, and gives the answer of the authenticator to `action`. With
 * `isAlone`, the passkey is the only proof, so the authenticator must verify the user.
 */
export function offerPasskey(button, { isAlone = false } = {}, action, failed) {
    button.hidden = !canUsePasskeys();
    onPress(button, async () => action({ passkey: await usePasskey(isAlone) }), failed);
}

async function usePasskey(isAlone) {
    const { challenge, rpId, lifetimeSeconds } = (await new Api().post("/passkey-challenges")).body;
    const { rawId, response } = await ask("get", {
        challenge: bytes(challenge),
        rpId,
        timeout: lifetimeSeconds * 1000,
        userVerification: isAlone ? "required" : "preferred",
    });
    return {
        id: text(rawId),
        clientDataJSON: text(response.clientDataJSON),
        authenticatorData: text(response.authenticatorData),
        signature: text(response.signature),
    };
}

/** Makes a passkey for the signed-in user. Returns what the API needs to add it. */
export async function createPasskey(api, { email, name }) {
    const offer = (await api.post("/me/passkey-challenges")).body;
    const { response } = await ask("create", {
        challenge: bytes(offer.challenge),
        rp: { id: offer.rpId, name: "Waymark" },
        user: { id: bytes(offer.userHandle), name: email, displayName: name },
        pubKeyCredParams: offer.algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: offer.known.map((id) => ({ type: "public-key", id: bytes(id) })),
        timeout: offer.lifetimeSeconds * 1000,
        attestation: "none",
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    return {
        clientDataJSON: text(response.clientDataJSON),
        authenticatorData: text(response.getAuthenticatorData()),
    };
}

async function ask(ceremony, publicKey) {
    try {
        return await navigator.credentials[ceremony]({ publicKey });
    } catch (error) {
        if (error.name === "InvalidStateError") throw new Problem({ detail: "This device has a passkey of yours already." });
        if (error.name !== "NotAllowedError") throw error;
        // Browsers do not tell whether the user cancelled or there is no passkey.
        throw new Problem({ detail: "No passkey was used. Try again, or choose another way." });
    }
}

function bytes(base64url) {
    const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function text(buffer) {
    const binary = String.fromCharCode(...new Uint8Array(buffer));
    return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
