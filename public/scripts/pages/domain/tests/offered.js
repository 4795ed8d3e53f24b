/** The body of an answer, or null if the installation does not have the route. The page then leaves that part out. */
export async function offered(request) {
    try {
        return (await request).body;
    } catch (problem) {
        if (problem.status === 404 || problem.status === 405) return null;
        throw problem;
    }
}
