import StrictJSON

/// Reads a `User-Agent` field (RFC 9110, section 10.1.5).
enum UserAgent {
    /// Tokens of browsers and their names. Several browsers also send the tokens of others, so the order matters.
    private static let browsers = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("HeadlessChrome/", "Chrome"), ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Macintosh", "macOS"), ("Linux", "Linux"),
    ]

    /// The browser and the system in words, such as "Firefox on Windows". For other programs, the first product, such as
    /// "curl". Empty if the field is empty or has control characters.
    static func words(_ field: String) -> String {
        let field = String(field.prefix(1_000))
        guard ControlCharacter(in: field) == nil else { return "" }
        let browser = browsers.first { field.contains($0.0) }?.1
        let system = systems.first { field.contains($0.0) }?.1
        switch (browser, system) {
        case (let browser?, let system?): return "\(browser) on \(system)"
        case (let browser?, nil): return browser
        default: return String(field.prefix { $0 != "/" && $0 != " " }.prefix(50))
        }
    }
}
