/**
 * A failure in the words of the API: an `application/problem+json` answer (RFC 9457), or the same shape
 * for what never became an answer.
 */
export class Problem extends Error {
    constructor({ status = 0, code, title, detail, errors = [], ...rest }) {
        super(detail || title || "Something went wrong.");
        this.name = "Problem";
        Object.assign(this, { status, code, title, detail: this.message, errors, rest });
    }

    /** Nobody answered: the service is down, or the network is. */
    static unreachable() {
        return new Problem({
            code: "unreachable",
            title: "No answer",
            detail: "Waymark does not answer. Check that it is running, then try again. Nothing was changed.",
        });
    }

    static async from(response) {
        const body = await response.json().catch(() => ({}));
        return new Problem({ title: response.statusText, ...body, status: response.status });
    }

    /** The draft is no longer at the revision that the change was made against. */
    get isConflict() {
        return this.status === 412;
    }

    /** Nobody answered, or not now: the same question may be answered later. */
    get isPassing() {
        return this.code === "unreachable" || this.status === 503 || this.status === 429;
    }

    get isSignedOut() {
        return this.code === "unauthenticated";
    }

    is(code) {
        return this.code === code;
    }
}

/** What an error of any kind says to a person. */
export function words(error) {
    if (!(error instanceof Problem)) return `The page made a mistake: ${error.message}`;
    if (error.isSignedOut) return "You are signed out. Open a new sign-in link in another tab, then try again here.";
    return error.detail;
}
