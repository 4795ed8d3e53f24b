import Foundation
import StrictJSON

/// A file of settings, with `NAME=value` lines. Empty lines and lines that start with `#` are ignored.
struct SettingsFile {
    private let path: String
    /// The value and the line number (from 1) of each name.
    private let lines: [String: (number: Int, value: String)]

    /// The value of each name.
    var values: [String: String] { lines.mapValues(\.value) }

    /// Reads the file.
    /// - Throws: `Settings.Invalid` for a file that cannot be read, a line that is not a setting, a name that is set
    ///   twice, or a value in quotes, because the quotes would become part of the value.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Self.invalid("names \(path), which cannot be read")
        }
        var lines: [String: (number: Int, value: String)] = [:]
        let texts = String(decoding: data, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, text) in zip(1..., texts) {
            let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if line.isEmpty || line.hasPrefix("#") { continue }
            func refuse(_ reason: String) -> Settings.Invalid {
                Self.invalid("names \(path), where line \(number) \(reason)")
            }
            let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard sides.count == 2 else { throw refuse("is not NAME=value") }
            let (name, value) = (sides[0], sides[1])
            guard value.first.map({ !"\"'".contains($0) }) ?? true else {
                throw refuse("has quotes around the value of \(name); remove them")
            }
            if let first = lines[name] { throw refuse("sets \(name) again, after line \(first.number)") }
            lines[name] = (number, value)
        }
        self.path = path
        self.lines = lines
    }

    /// Checks that all names are in `known`.
    ///
    /// - Throws: `Settings.Invalid` for the first line with another name.
    func requireNames(among known: [String]) throws {
        let stranger = lines.filter { !known.contains($0.key) }.min { $0.value.number < $1.value.number }
        guard let (name, line) = stranger else { return }
        let hint = NearestName.of(name, among: known).map { "; did you mean \($0)?" } ?? ""
        throw Self.invalid(
            "names \(path), where line \(line.number) sets \(name), which is not a setting for this file\(hint)")
    }

    private static func invalid(_ reason: String) -> Settings.Invalid {
        Settings.Invalid(name: "WAYMARK_SETTINGS_FILE", reason: reason)
    }
}
