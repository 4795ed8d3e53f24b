public import StrictJSON

extension Finding {
    /// The finding as JSON:
    ///
    /// - `code`: `"WM020"`;
    /// - `severity`: `"error"`, `"warning"` or `"notice"`;
    /// - `pointer`: a JSON Pointer into the file, `""` for the whole file;
    /// - `line`, `column`: from 1, columns in Unicode scalars; null if the finding has no position in the text;
    /// - `message`, `remedy`: sentences for people;
    /// - `page`: the path of the page about the code, on any Waymark server: `"/finding?code=WM020"`;
    /// - `fix`: null, or `{"title", "keepsOutcomes", "edits": [{"offset", "length", "text"}]}` as in ``Fix``. Offsets
    ///   and lengths count bytes of the checked text. Edits are in the order of the text and do not overlap.
    public var json: JSONValue {
        [
            "code": .string(code.rawValue), "severity": .string(severity.rawValue),
            "pointer": .string(pointer.description), "line": position.map { .int($0.line) } ?? .null,
            "column": position.map { .int($0.column) } ?? .null, "message": .string(message),
            "remedy": .string(remedy), "page": .string(code.page), "fix": fix?.json ?? .null,
        ]
    }
}

extension Fix {
    /// The fix as JSON, as described at ``Finding/json``.
    public var json: JSONValue {
        let edits = edits.map { edit -> JSONValue in
            ["offset": .int(edit.offset), "length": .int(edit.length), "text": .string(edit.text)]
        }
        return ["title": .string(title), "keepsOutcomes": .bool(keepsOutcomes), "edits": .array(edits)]
    }
}

extension LintReport {
    /// The report as JSON: `{"size", "findings"}`, the file's size in bytes and the findings in order.
    public var json: JSONValue { ["size": .int(size), "findings": .array(findings.map(\.json))] }
}
