extension CronExpression {
    /// The maximum length of an expression, in Unicode scalars.
    public static let maximumCharacters = 256

    /// Names such as `@daily`, and the five fields that each stands for.
    static let shorthands = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
    ]

    /// Parses five fields separated by spaces, or a name such as `@daily`. Letter case is ignored.
    ///
    /// A field is a list of `*`, numbers and ranges `a-b`, separated by commas. `*` and ranges can have a step, `/n`.
    /// Months and days of the week can be written as three English letters. Sunday is 0 or 7. At the end of a range, it
    /// is 7. Throws ``InvalidCronExpression`` with all faults.
    public init(parsing text: String) throws(InvalidCronExpression) {
        var parser = CronParser(text)
        guard let expression = parser.expression() else { throw InvalidCronExpression(faults: parser.faults) }
        self = expression
    }
}

/// A part of the text, with its position.
private struct Piece {
    let text: String
    /// The column, counted from 1.
    let column: Int

    /// The pieces between separators, including empty ones.
    func split(at separator: Character) -> [Piece] {
        var column = column
        return text.split(separator: separator, omittingEmptySubsequences: false).map { part in
            defer { column += part.count + 1 }
            return Piece(text: String(part), column: column)
        }
    }
}

private struct CronParser {
    private let text: String
    private(set) var faults: [CronFault] = []

    init(_ text: String) {
        self.text = text
    }

    mutating func expression() -> CronExpression? {
        guard text.unicodeScalars.count <= CronExpression.maximumCharacters else {
            fault(
                nil, 1, "too_long",
                "has \(text.unicodeScalars.count) characters; the maximum is \(CronExpression.maximumCharacters)")
            return nil
        }
        let pieces = words()
        guard let first = pieces.first else {
            fault(nil, 1, "empty", "is empty; write five fields, such as 0 9 * * MON-FRI, or a name, such as @daily")
            return nil
        }
        let written = pieces.map(\.text).joined(separator: " ")
        if first.text.hasPrefix("@") {
            guard let fields = CronExpression.shorthands[first.text.lowercased()], pieces.count == 1 else {
                refuseName(first, alone: pieces.count == 1)
                return nil
            }
            return expression(of: Piece(text: fields, column: 1).split(at: " "), written: written)
        }
        guard pieces.count == CronField.allCases.count else {
            refuseCount(pieces)
            return nil
        }
        return expression(of: pieces, written: written)
    }

    /// The words between spaces and tabs.
    private func words() -> [Piece] {
        Piece(text: text.replacing("\t", with: " "), column: 1).split(at: " ").filter { !$0.text.isEmpty }
    }

    private mutating func expression(of pieces: [Piece], written: String) -> CronExpression? {
        let sets = zip(CronField.allCases, pieces).map { values(of: $0, in: $1) }
        guard faults.isEmpty, sets.count == 5 else { return nil }
        var weekdays = sets[4]
        if weekdays.contains(7) {
            weekdays.remove(7)
            weekdays.insert(0)
        }
        let expression = CronExpression(
            text: written, minutes: sets[0], hours: sets[1], daysOfMonth: sets[2], months: sets[3],
            daysOfWeek: weekdays, eitherDay: !pieces[2].text.hasPrefix("*") && !pieces[4].text.hasPrefix("*"))
        guard let start = LocalTime(year: 2000, month: 1, day: 1), expression.next(after: start) != nil else {
            fault(.dayOfMonth, pieces[2].column, "never", "none of these months has such a day, so it never comes")
            return nil
        }
        return expression
    }

    private mutating func values(of field: CronField, in piece: Piece) -> ValueSet {
        piece.split(at: ",").reduce(into: ValueSet()) { set, item in
            guard let (range, step) = self.item(item, of: field) else { return }
            for value in stride(from: range.lowerBound, through: range.upperBound, by: step) { set.insert(value) }
        }
    }

    /// A number, a range or `*`, with its step.
    private mutating func item(_ piece: Piece, of field: CronField) -> (range: ClosedRange<Int>, step: Int)? {
        let parts = piece.split(at: "/")
        guard let range = range(parts[0], of: field) else { return nil }
        guard parts.count > 1 else { return (range, 1) }
        let step = parts[1]
        guard parts.count == 2, let number = Self.number(step.text), number > 0 else {
            fault(field, step.column, "invalid_step", "after /, write one whole number of 1 or more")
            return nil
        }
        guard parts[0].text == "*" || parts[0].text.contains("-") else {
            let last = field.bounds.upperBound
            let meant = number <= last - range.lowerBound ? "\(parts[0].text)-\(last)/\(number)" : parts[0].text
            fault(field, piece.column, "step_without_range", "a step needs a range: write \(meant)")
            return nil
        }
        guard number <= range.upperBound - range.lowerBound else {
            fault(
                field, step.column, "step_too_long",
                "a step of \(number) is longer than \(parts[0].text); for its first value, write \(range.lowerBound)")
            return nil
        }
        return (range, number)
    }

    private mutating func range(_ piece: Piece, of field: CronField) -> ClosedRange<Int>? {
        if piece.text == "*" {
            return field == .dayOfWeek ? 0...6 : field.bounds
        }
        let ends = piece.split(at: "-")
        guard ends.count <= 2 else {
            fault(field, ends[2].column - 1, "invalid_range", "a range has two ends, such as \(Self.example(field))")
            return nil
        }
        guard let first = value(ends[0], of: field) else { return nil }
        guard ends.count == 2 else { return first...first }
        guard var last = value(ends[1], of: field) else { return nil }
        if field == .dayOfWeek, last == 0, first > 0 { last = 7 }
        guard first <= last else {
            let (low, high) = (field.bounds.lowerBound, field == .dayOfWeek ? 6 : field.bounds.upperBound)
            // The range begins with a Sunday written as 7.
            let upToEnd = first > high ? "" : "\(ends[0].text)-\(high),"
            fault(
                field, piece.column, "backward_range",
                "a range goes forward: write \(upToEnd)\(low)-\(ends[1].text)")
            return nil
        }
        return first...last
    }

    private mutating func value(_ piece: Piece, of field: CronField) -> Int? {
        if let index = field.names.firstIndex(of: piece.text.uppercased()) { return index + field.bounds.lowerBound }
        guard let number = Self.number(piece.text) else {
            refuseValue(piece, field)
            return nil
        }
        guard field.bounds.contains(number) else {
            fault(
                field, piece.column, "out_of_range",
                "\(piece.text) is not between \(field.bounds.lowerBound) and \(field.bounds.upperBound)")
            return nil
        }
        return number
    }

    /// A number of one to four digits.
    private static func number(_ text: String) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func example(_ field: CronField) -> String {
        field.names.count > 2 ? "\(field.names[1])-\(field.names[2])" : "1-5"
    }

    private mutating func refuseValue(_ piece: Piece, _ field: CronField) {
        let upper = piece.text.uppercased()
        let names = field.names.isEmpty ? "" : " or a name such as \(field.names[1])"
        if piece.text.isEmpty {
            fault(field, piece.column, "missing_value", "write a number\(names) here")
        } else if upper.contains("?") || upper.contains("#") || ["L", "W", "LW"].contains(upper)
            || (upper.hasSuffix("L") || upper.hasSuffix("W")) && Self.number(String(upper.dropLast())) != nil
        {
            fault(field, piece.column, "unsupported", "?, L, W and # are not supported; write numbers")
        } else {
            fault(field, piece.column, "invalid_value", "\(piece.text.prefix(20)) is not a number\(names)")
        }
    }

    private mutating func refuseName(_ piece: Piece, alone: Bool) {
        if piece.text.lowercased() == "@reboot" {
            fault(nil, piece.column, "unsupported", "@reboot is not a time")
        } else if piece.text.lowercased() == "@every" {
            fault(nil, piece.column, "unsupported", "@every is not supported; write five fields, such as */15 * * * *")
        } else if !alone, CronExpression.shorthands[piece.text.lowercased()] != nil {
            fault(nil, piece.column, "wrong_count", "\(piece.text.lowercased()) cannot be combined with fields")
        } else {
            fault(
                nil, piece.column, "unknown_name",
                "is not one of \(CronExpression.shorthands.keys.sorted().joined(separator: ", "))")
        }
    }

    private mutating func refuseCount(_ pieces: [Piece]) {
        if let first = pieces.first, first.text.contains("=") {
            fault(nil, first.column, "unsupported", "the time zone is not part of the expression; give it separately")
            return
        }
        let hint = pieces.count == 6 ? "; seconds and years are not supported" : ""
        let fields = pieces.count == 1 ? "field" : "fields"
        fault(
            nil, pieces.count > 5 ? pieces[5].column : 1, "wrong_count",
            "has \(pieces.count) \(fields) instead of five: minute, hour, day of month, month, day of week\(hint)")
    }

    private mutating func fault(_ field: CronField?, _ column: Int, _ code: String, _ detail: String) {
        faults.append(CronFault(field: field, column: column, code: code, detail: detail))
    }
}
