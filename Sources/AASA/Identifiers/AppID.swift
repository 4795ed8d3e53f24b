public import StrictJSON

/// An app ID: an App ID Prefix, a period and a bundle ID, such as `ABCDE12345.com.example.app`.
///
/// The prefix is usually the Team ID (Apple, "Supporting associated domains"). App IDs are case-sensitive.
public struct AppID: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length in bytes.
    public static let maximumLength = 255

    /// The App ID Prefix.
    public let prefix: TeamID
    /// The bundle ID.
    public let bundleID: BundleID

    /// Creates an app ID from its two parts.
    ///
    /// - Throws: ``InvalidAppID`` if the app ID is longer than ``maximumLength``.
    public init(prefix: TeamID, bundleID: BundleID) throws(InvalidAppID) {
        try self.init("\(prefix).\(bundleID)")
    }

    /// Reads an app ID: a prefix of ten characters of `[A-Z0-9]`, a period, and a bundle ID of `[A-Za-z0-9.-]`.
    ///
    /// - Throws: ``InvalidAppID`` if the text is not a valid app ID.
    public init(_ text: String) throws(InvalidAppID) {
        let bytes = Array(text.utf8)
        if bytes.isEmpty { throw InvalidAppID("is empty; enter an app ID such as ABCDE12345.com.example.app") }
        guard bytes.count <= Self.maximumLength else {
            throw InvalidAppID("has \(bytes.count) characters; at most \(Self.maximumLength) are allowed")
        }
        guard let period = bytes.firstIndex(of: UInt8(ascii: ".")) else {
            throw InvalidAppID("has no period between the 10-character prefix and the bundle ID")
        }
        do {
            prefix = try TeamID(String(decoding: bytes[..<period], as: UTF8.self))
        } catch {
            throw InvalidAppID("begins with a prefix (before the first period) that \(error.detail)")
        }
        do {
            bundleID = try BundleID(String(decoding: bytes[(period + 1)...], as: UTF8.self))
        } catch {
            throw InvalidAppID("has a bundle ID (after the first period) that \(error.detail)")
        }
    }

    /// The app ID as text.
    public var rawValue: String { "\(prefix).\(bundleID)" }

    /// The text.
    public var description: String { rawValue }
}

/// A Team ID or App ID Prefix: ten characters of `[A-Z0-9]`.
public struct TeamID: Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let rawValue: String

    /// Reads a Team ID.
    ///
    /// - Throws: ``InvalidTeamID`` if the text is not a valid Team ID.
    public init(_ text: String) throws(InvalidTeamID) {
        let length = text.utf8.count
        guard length == 10 else {
            throw InvalidTeamID("has \(length) character\(length == 1 ? "" : "s") instead of 10")
        }
        let wrongs = text.unicodeScalars.filter { !Self.isAllowed($0) }
        let isLower = { (scalar: Unicode.Scalar) in ("a"..."z").contains(scalar) }
        // Report a character that is never allowed first. Report a lowercase letter only if there is none.
        if let wrong = wrongs.first(where: { !isLower($0) }) ?? wrongs.first {
            let lower = wrongs.contains(where: isLower) ? "; write capital letters" : ""
            throw InvalidTeamID("contains \"\(wrong)\"; only A-Z and 0-9 are allowed\(lower)")
        }
        rawValue = text
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    /// The text.
    public var description: String { rawValue }
}

/// A bundle ID: letters, digits, periods and hyphens.
public struct BundleID: Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let rawValue: String

    /// Reads a bundle ID: 1 to 244 characters of `[A-Za-z0-9.-]`. With this limit, an app ID has at most 255
    /// characters.
    ///
    /// - Throws: ``InvalidBundleID`` if the text is not a valid bundle ID.
    public init(_ text: String) throws(InvalidBundleID) {
        if text.isEmpty { throw InvalidBundleID("is empty") }
        let length = text.utf8.count
        guard length <= 244 else { throw InvalidBundleID("has \(length) characters; at most 244 are allowed") }
        if let wrong = text.unicodeScalars.first(where: { !Self.isAllowed($0) }) {
            throw InvalidBundleID(
                "contains \"\(wrong)\"; only letters A-Z and a-z, digits, periods and hyphens are allowed")
        }
        if text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).contains(where: \.isEmpty) {
            throw InvalidBundleID("begins or ends with a period, or has two in a row")
        }
        rawValue = text
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        ("A"..."Z").contains(scalar) || ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
            || scalar == "." || scalar == "-"
    }

    /// The text.
    public var description: String { rawValue }
}

/// The reason why a text is not a valid app ID.
public struct InvalidAppID: JSONFaultReason, Hashable, Sendable {
    /// A stable error code for programs.
    public var code: String { "invalid_app_id" }
    /// The error message.
    public let detail: String

    init(_ detail: String) { self.detail = detail }
}

/// The reason why a text is not a valid Team ID.
public struct InvalidTeamID: JSONFaultReason, Hashable, Sendable {
    /// A stable error code for programs.
    public var code: String { "invalid_team_id" }
    /// The error message.
    public let detail: String

    init(_ detail: String) { self.detail = detail }
}

/// The reason why a text is not a valid bundle ID.
public struct InvalidBundleID: JSONFaultReason, Hashable, Sendable {
    /// A stable error code for programs.
    public var code: String { "invalid_bundle_id" }
    /// The error message.
    public let detail: String

    init(_ detail: String) { self.detail = detail }
}
