/**
 * Whether a draft is still as it was created: empty. Its only finding is that it has no service, which tells a newcomer
 * nothing. The pages show the first step instead.
 */
export function isUntouched(draft) {
    return draft?.revision === 1;
}
