import FoundationEssentials

/// The URL of a server, as people write it.
enum ServerURL {
    /// Whether a text is `http(s)://host`, with a port and a path where there are any. A port beyond 65,535 would end the
    /// process in the HTTP client.
    static func isUsable(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false) else { return false }
        return ["http", "https"].contains(parts.scheme) && parts.host?.isEmpty == false
            && (0...65_535).contains(parts.port ?? 1) && parts.user == nil && parts.query == nil
            && parts.fragment == nil
    }
}
