/** The signed-in user, or null for a visitor, by an `Api`. */
export async function signedInUser(api) {
    try {
        return (await api.get("/me")).body.user;
    } catch (problem) {
        if (problem.isSignedOut) return null;
        throw problem;
    }
}
