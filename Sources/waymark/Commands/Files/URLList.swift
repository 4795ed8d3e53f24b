import AASA
import HTTPAPI
import StrictJSON

/// A file of URLs, one per line.
enum URLList {
    /// The maximum number of invalid lines to report.
    private static let faultLimit = 20

    /// Reads the URLs. Removes surrounding white space, and converts hosts to ASCII. Ignores empty lines and lines that
    /// start with `#`.
    ///
    /// - Throws: ``Refusal`` if the file cannot be read, has too many URLs, or contains a line that can never be a
    ///   universal link.
    static func read(_ file: String) throws -> [String] {
        guard let text = String(validating: try InputFile.read(file), as: UTF8.self) else {
            throw Refusal("\(file) is not text in UTF-8")
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(trimmed)
        let urls = lines.enumerated().filter { !$0.element.isEmpty && !$0.element.hasPrefix("#") }
        guard urls.count <= Difference.maximumGiven else {
            throw Refusal("\(file) has \(urls.count) URLs; the limit is \(Difference.maximumGiven)")
        }
        let withoutRules = CompiledAssociation(Association(root: [:]))
        let faults = urls.lazy.compactMap { line, url in
            withoutRules.evaluate(TypedURL.inASCII(url)).ineligibility.map { fault in
                TerminalText.shown("\(file):\(line + 1): \(url) cannot be a universal link. \(fault.detail)")
            }
        }.prefix(faultLimit)
        guard faults.isEmpty else { throw Refusal(faults.joined(separator: "\n")) }
        return urls.map { TypedURL.inASCII($0.element) }
    }

    private static func trimmed(_ line: Substring) -> String {
        let start = line.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
