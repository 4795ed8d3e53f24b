/** The lines of a text: their starts and ends, in UTF-16 units. Lines count from 0. */
export class TextLines {
    #text;
    #starts = [0];

    constructor(text) {
        this.#text = text;
        for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
    }

    get count() {
        return this.#starts.length;
    }

    start(line) {
        return this.#starts[this.#clamp(line)];
    }

    end(line) {
        const next = this.#starts[this.#clamp(line) + 1];
        return next === undefined ? this.#text.length : next - 1;
    }

    /** The line that holds an offset. */
    lineAt(offset) {
        let [low, high] = [0, this.count - 1];
        while (low < high) {
            const middle = Math.ceil((low + high) / 2);
            if (this.#starts[middle] <= offset) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    /** The offset of a place in the API's form: line and column from 1, the column in Unicode scalars. */
    offset({ line, column }) {
        const end = this.end(line - 1);
        let at = this.start(line - 1);
        for (let passed = 1; passed < column && at < end; passed += 1) {
            at += this.#text.codePointAt(at) > 0xffff ? 2 : 1;
        }
        return at;
    }

    #clamp(line) {
        return Math.min(Math.max(line, 0), this.count - 1);
    }
}
