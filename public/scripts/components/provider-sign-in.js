import { Api } from "../shared/api/api.js";

const place = "waymark-return";

/** Sends the browser to the provider of an organization. Afterwards, the browser goes to the address `next`. */
export async function signInByProvider(request, next) {
    await leaveFor("/provider-sign-ins", request, next);
}

/** Connects an identity at the provider of an organization with the signed-in user's account. */
export async function connectIdentity(organization, next) {
    await leaveFor("/me/identity-connections", { organization }, next);
}

async function leaveFor(path, request, next) {
    const { location: address } = (await new Api().post(path, request)).body;
    sessionStorage.setItem(place, next);
    location.assign(address);
}

/** The address after the way back. It is of this site, because it was kept by it. */
export function takeReturn() {
    const next = sessionStorage.getItem(place) ?? "/";
    sessionStorage.removeItem(place);
    return next;
}
