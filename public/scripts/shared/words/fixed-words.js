const irregular = { Make: "Made", Write: "Wrote" };

/** What a fix did. Its title says what to do, with the verb first: "Move this rule", "Moved this rule." */
export function fixedWords({ title, keepsOutcomes }) {
    const done = title.replace(/^[\w-]+/, (verb) => irregular[verb] ?? verb.replace(/e?$/, "ed"));
    return `${done}.${keepsOutcomes ? "" : " Other URLs may open the app now. Check the results."}`;
}
