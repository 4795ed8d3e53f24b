/**
 * A failed request: an `application/problem+json` answer (RFC 9457), or the same shape for a request that got no
 * answer.
 */
export class Problem extends Error {
    constructor({ status = 0, code, title, detail, errors = [], ...rest }) {
        super(detail || title || "Something went wrong.");
        this.name = "Problem";
        Object.assign(this, { status, code, title, detail: this.message, errors, rest });
    }

    /** No answer: the service or the network is down. */
    static unreachable() {
        return new Problem({
            code: "unreachable",
            title: "No answer",
            detail: "Waymark does not answer. Try again.",
        });
    }

    static async from(response) {
        const body = await response.json().catch(() => ({}));
        return new Problem({ title: response.statusText, ...body, status: response.status });
    }

    /** The resource has changed since it was loaded. */
    get isConflict() {
        return this.status === 412;
    }

    /** No answer, or not now: retrying later may work. */
    get isPassing() {
        return this.code === "unreachable" || this.status === 503 || this.status === 429;
    }

    get isSignedOut() {
        return this.code === "unauthenticated";
    }

    /** The same problem as an error of a field. */
    at(pointer, detail = this.detail) {
        return new Problem({ ...this, errors: [{ pointer, detail }] });
    }

    is(code) {
        return this.code === code;
    }
}

/** The words to show for an error of any kind. */
export function words(error) {
    if (!(error instanceof Problem)) return `This page has a bug: ${error.message}`;
    if (error.isSignedOut) return "You are signed out. Sign in again in another tab, then try again here.";
    if (error.is("confirmation_required")) return "Nothing changed. Try again, and confirm that it is you.";
    return error.detail;
}
