import FoundationEssentials

/// The URL of a server in a setting.
enum ServerURL {
    /// True if a text is `http(s)://host` with an optional port and path. A port above 65,535 is refused, because it
    /// would crash the HTTP client.
    static func isUsable(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false) else { return false }
        return ["http", "https"].contains(parts.scheme) && parts.host?.isEmpty == false
            && (0...65_535).contains(parts.port ?? 1) && parts.user == nil && parts.query == nil
            && parts.fragment == nil
    }
}
