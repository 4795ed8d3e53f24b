import StrictJSON

extension LinkTestSuite {
    /// The columns of a suite in CSV, in any order. `url` and `expect` are required; `expect` is `opens`, `excluded` or
    /// `none`.
    private enum Column: String, CaseIterable {
        case url
        case expect
        case app
        case note
        case os
    }

    /// The suite as CSV with the header `url,expect,app,note`. If a test has a system, the suite also has the column
    /// `os`.
    ///
    /// Spreadsheets run a cell that begins with `=`, `+`, `-` or `@` as a formula. URLs, outcomes and app IDs never
    /// begin with these characters. A note that begins with one gets an apostrophe in front. Reading the suite removes
    /// the apostrophe.
    public var csv: [UInt8] {
        let columns: [Column] = tests.contains { $0.os != nil } ? Column.allCases : Column.allCases.dropLast()
        let lines = tests.map { test in columns.map { Self.field($0, of: test) } }
        return CSV.bytes([columns.map(\.rawValue)] + lines)
    }

    private static func field(_ column: Column, of test: LinkTest) -> String {
        switch column {
        case .url: test.url
        case .expect: test.expected.outcome.rawValue
        case .app: test.expected.app?.description ?? ""
        case .note: startsAFormula(test.note) ? "'" + test.note : test.note
        case .os: test.os?.rawValue ?? ""
        }
    }

    /// Whether a spreadsheet may run a text as a formula. Apostrophes at its beginning are ignored, so that writing can
    /// add one and reading can remove it without loss.
    private static func startsAFormula(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != "'" }.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
    }

    private static func withoutApostrophe(_ note: String) -> String {
        guard note.unicodeScalars.first == "'", startsAFormula(note) else { return note }
        return String(note.unicodeScalars.dropFirst())
    }

    static func csv(_ text: [UInt8], _ url: JSONShape<String>) throws(InvalidLinkTestSuite) -> [LinkTest] {
        let records: [CSV.Record]
        do {
            records = try CSV.records(text, limit: limit + 2)
        } catch {
            throw InvalidLinkTestSuite(
                line: error.line, code: "malformed_csv", detail: "is not valid CSV: there is \(error.detail)")
        }
        guard let header = records.first else {
            throw InvalidLinkTestSuite(line: 1, code: "empty", detail: "is empty; it needs at least a header")
        }
        let columns = try columns(header)
        let lines = records.dropFirst()
        guard lines.count <= limit else {
            throw InvalidLinkTestSuite(
                line: lines.last?.line ?? 1, code: "too_many",
                detail: "has more than \(limit) tests; that is the limit")
        }
        return try tests(Array(lines), columns, url)
    }

    private static func columns(_ header: CSV.Record) throws(InvalidLinkTestSuite) -> [Column] {
        let names = header.fields.map { String(decoding: $0, as: UTF8.self) }
        let columns = names.compactMap { name in Column.allCases.first { $0.rawValue == name } }
        let isWhole = columns.count == names.count && Set(columns).count == names.count
        guard isWhole, columns.contains(.url), columns.contains(.expect) else {
            throw InvalidLinkTestSuite(
                line: header.line, code: "invalid_header",
                detail: "must begin with its column names, separated by commas: url,expect,app,note; app, note and os "
                    + "are optional")
        }
        return columns
    }

    private static func tests(
        _ lines: [CSV.Record], _ columns: [Column], _ url: JSONShape<String>
    ) throws(InvalidLinkTestSuite) -> [LinkTest] {
        var faults: [InvalidLinkTestSuite.Fault] = []
        var tests: [LinkTest] = []
        for (place, record) in lines.enumerated() where faults.count < JSONFaultCollector.limit {
            let collector = JSONFaultCollector()
            let pointer = JSONPointer(tokens: ["tests", "\(place)"])
            let test = test(record, columns, at: pointer, url, collector)
            faults += collector.faults.map { InvalidLinkTestSuite.Fault($0, line: record.line) }
            if let test { tests.append(test) }
        }
        if faults.isEmpty {
            let collector = JSONFaultCollector()
            addRepetitions(tests.enumerated().map { (JSONPointer(tokens: ["tests", "\($0)"]), $1) }, to: collector)
            faults = collector.faults.map { fault in
                let place = fault.pointer.tokens.last.flatMap { Int($0) } ?? 0
                return InvalidLinkTestSuite.Fault(
                    fault, line: lines.indices.contains(place) ? lines[place].line : 1)
            }
        }
        guard faults.isEmpty else {
            throw InvalidLinkTestSuite(faults: Array(faults.prefix(JSONFaultCollector.limit)))
        }
        return tests
    }

    /// Converts a line to JSON and reads it like a test in JSON.
    private static func test(
        _ record: CSV.Record, _ columns: [Column], at pointer: JSONPointer, _ url: JSONShape<String>,
        _ collector: JSONFaultCollector
    ) -> LinkTest? {
        guard record.fields.count == columns.count else {
            collector.add(
                pointer, "wrong_columns",
                "has \(record.fields.count) fields, but the header has \(columns.count) columns")
            return nil
        }
        var test = JSONObject()
        var expected = JSONObject()
        for (column, field) in zip(columns, record.fields) where !field.isEmpty {
            let text = String(decoding: field, as: UTF8.self)
            switch column {
            case .url: test["url"] = .string(text)
            case .expect: expected["outcome"] = .string(text)
            case .app: expected["app"] = .string(text)
            case .note:
                test["note"] = .string(withoutApostrophe(text))
            case .os: test["os"] = .string(text)
            }
        }
        test["expected"] = .object(expected)
        return JSONShape.linkTest(url).read(.object(test), at: pointer, collector)
    }
}
