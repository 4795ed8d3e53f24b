/**
 * The evaluations of many URLs. `ask(urls)` is one request; if they need more work than one request may do, each half
 * is asked for on its own.
 */
export async function evaluated(ask, urls) {
    try {
        return (await ask(urls)).body.evaluations;
    } catch (problem) {
        if (problem.code !== "budget_exceeded" || urls.length === 1) throw problem;
        const middle = Math.ceil(urls.length / 2);
        const first = await evaluated(ask, urls.slice(0, middle));
        return first.concat(await evaluated(ask, urls.slice(middle)));
    }
}
