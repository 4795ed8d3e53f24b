/** The size limits of a check and of Apple's systems, in bytes. */
export const maximumBytes = 1_048_576;
export const appleLimit = 131_072;

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8");

/**
 * The bytes to check. An opened file is checked unchanged, with its line endings and encoding. Once the user edits the
 * text, the file is that text in UTF-8.
 */
export class AssociationFile {
    bytes;
    /** False if the bytes are not valid UTF-8: `text` is then only an approximation. */
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

    /** The file with edits of its bytes: `{ offset, length, text }`, with offsets in the current bytes. */
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

    /** The file as in a request to `/evaluations` and in a link. */
    get json() {
        return this.isText ? { aasa: this.text } : { aasaBase64: base64(this.bytes) };
    }

    static fromJSON({ aasa, aasaBase64 }) {
        if (typeof aasa === "string") return AssociationFile.of(aasa);
        return new AssociationFile(fromBase64(aasaBase64));
    }
}

/** Base64 (RFC 4648, section 4). In chunks, because a call takes a limited number of arguments. */
export function base64(bytes) {
    const chunk = 8_192;
    let text = "";
    for (let at = 0; at < bytes.length; at += chunk) text += String.fromCharCode(...bytes.subarray(at, at + chunk));
    return btoa(text);
}

/** Throws if the text is not base64. */
export function fromBase64(text) {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
