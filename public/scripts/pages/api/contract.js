const methods = ["get", "post", "put", "patch", "delete"];

/** The API's contract (OpenAPI 3.1), as this page reads it. */
export class Contract {
    #document;

    constructor(document) {
        this.#document = document;
        this.operations = this.#allOperations();
    }

    get info() {
        return this.#document.info;
    }

    get securitySchemes() {
        return this.#document.components.securitySchemes;
    }

    /** The operations by the resource that they belong to: `[{ name, description, operations }]`. */
    get groups() {
        const byTag = Map.groupBy(this.operations, ({ tags }) => tags[0]);
        return this.#document.tags
            .filter(({ name }) => byTag.has(name))
            .map(({ name, description }) => ({ name, description, operations: byTag.get(name) }));
    }

    /** The object that a `$ref` points at, such as `#/components/schemas/Host`; any other object itself. */
    resolved(object) {
        if (!object?.$ref) return object;
        const names = object.$ref.slice(2).split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
        return this.resolved(names.reduce((inside, name) => inside[name], this.#document));
    }

    /** Every problem code: `[{ code, status, meanings, operations }]`, in alphabetical order. */
    get problems() {
        const problems = new Map();
        for (const operation of this.operations) {
            for (const { status, description, codes } of operation.answers) {
                for (const code of codes) {
                    const problem = problems.get(code) ?? { code, statuses: new Set(), meanings: new Set(), uses: 0 };
                    problem.statuses.add(status);
                    problem.meanings.add(description);
                    problem.uses += 1;
                    problems.set(code, problem);
                }
            }
        }
        return [...problems.values()].sort((one, other) => (one.code < other.code ? -1 : 1));
    }

    #allOperations() {
        return Object.entries(this.#document.paths).flatMap(([path, item]) =>
            methods.filter((method) => item[method]).map((method) => this.#operation(path, method, item)),
        );
    }

    #operation(path, method, item) {
        const operation = item[method];
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
        return {
            ...operation,
            path,
            method: method.toUpperCase(),
            right: operation["x-right"],
            parameters: parameters.map((each) => this.resolved(each)),
            answers: Object.entries(operation.responses).map(([status, response]) => this.#answer(status, response)),
        };
    }

    #answer(status, response) {
        const { description, content = {}, "x-codes": codes = [] } = this.resolved(response);
        const [[type, body] = []] = Object.entries(content);
        return { status, description, codes, type, schema: body?.schema };
    }
}
