/** More than this no check takes; Apple's systems take 131,072 bytes. */
export const mostBytes = 1_048_576;
export const appleLimit = 131_072;

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8");

/**
 * The bytes that are checked. An opened file is checked as it is, with its line ends, whatever its encoding; as soon as
 * somebody edits the text, the file is that text in UTF-8.
 */
export class AssociationFile {
    bytes;
    /** False for bytes that are no UTF-8: `text` is then only an impression of them. */
    isText = true;
    text;

    constructor(bytes) {
        this.bytes = bytes;
        try {
            this.text = strict.decode(bytes);
        } catch {
            this.isText = false;
            this.text = lenient.decode(bytes);
        }
    }

    static of(text) {
        return new AssociationFile(encoder.encode(text));
    }

    /** With edits made to its bytes: `{ offset, length, text }`, each of the bytes as they are now. */
    edited(edits) {
        const pieces = [];
        let end = 0;
        for (const { offset, length, text } of edits.toSorted((one, other) => one.offset - other.offset)) {
            pieces.push(this.bytes.subarray(end, offset), encoder.encode(text));
            end = offset + length;
        }
        pieces.push(this.bytes.subarray(end));
        return new AssociationFile(new Uint8Array(pieces.flatMap((piece) => [...piece])));
    }

    /** The file as a question to `/evaluations` carries it, and a link. */
    get json() {
        return this.isText ? { aasa: this.text } : { aasaBase64: base64(this.bytes) };
    }

    static fromJSON({ aasa, aasaBase64 }) {
        if (typeof aasa === "string") return AssociationFile.of(aasa);
        return new AssociationFile(fromBase64(aasaBase64));
    }
}

/** RFC 4648, section 4. `btoa` takes a text of bytes, and a call a limited number of arguments. */
export function base64(bytes) {
    const chunk = 8_192;
    let text = "";
    for (let at = 0; at < bytes.length; at += chunk) text += String.fromCharCode(...bytes.subarray(at, at + chunk));
    return btoa(text);
}

/** Throws where the text is no base64. */
export function fromBase64(text) {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
