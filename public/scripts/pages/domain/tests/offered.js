/**
 * The answer to a request for something that an installation may not offer yet: its body, or null where the route is
 * not there. Whatever is shown of it is then left out.
 */
export async function offered(request) {
    try {
        return (await request).body;
    } catch (problem) {
        if (problem.status === 404 || problem.status === 405) return null;
        throw problem;
    }
}
