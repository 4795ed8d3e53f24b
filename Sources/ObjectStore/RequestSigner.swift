internal import Crypto
public import FoundationEssentials
internal import Hex

/// Signs requests with AWS Signature Version 4 in a header
/// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html). The signature covers all headers of
/// the request and the digest of its body.
public struct RequestSigner: Sendable {
    private let credentials: Credentials
    private let region: String

    /// Creates a signer for the service `s3` in a region.
    public init(credentials: Credentials, region: String) {
        self.credentials = credentials
        self.region = region
    }

    /// Returns all headers of the request: the given ones, those that the signature requires, and `Authorization`.
    ///
    /// - Parameters:
    ///   - path: The path as sent, percent-encoded once.
    ///   - query: Names and values before encoding.
    ///   - headers: All headers to send, including `Host`. Names must be unique.
    ///   - body: The bytes to send.
    ///   - time: The current time. Stores reject a request if it differs by more than 15 minutes.
    public func signed(
        method: String, path: String, query: [(String, String)], headers: [(String, String)], body: [UInt8],
        at time: Date
    ) -> [(String, String)] {
        let moment = Self.stamp.format(time)
        let day = String(moment.prefix(8))
        let digest = Hexadecimal.encode(SHA256.hash(data: body))
        var headers = headers + [("x-amz-content-sha256", digest), ("x-amz-date", moment)]
        if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
        let canonical =
            headers
            .map { (name: $0.0.lowercased(), value: Self.trimmed($0.1)) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let names = canonical.map(\.name).joined(separator: ";")
        let request = [
            method, path, Self.canonicalQuery(query), canonical.map { "\($0.name):\($0.value)\n" }.joined(), names,
            digest,
        ].joined(separator: "\n")
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = ["AWS4-HMAC-SHA256", moment, scope, Hexadecimal.encode(SHA256.hash(data: Array(request.utf8)))]
            .joined(separator: "\n")
        let signature = Hexadecimal.encode(authentication(of: text, by: signingKey(day: day)))
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
        return headers + [("Authorization", authorization)]
    }

    /// The encoded names and values in canonical order, both for the signature and for the URL.
    static func canonicalQuery(_ query: [(String, String)]) -> String {
        query.map { (PercentEncoding.encode($0.0), PercentEncoding.encode($0.1)) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// A time such as `20130524T000000Z`.
    private static let stamp = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, timeSeparator: .omitted, timeZoneSeparator: .omitted)

    private func signingKey(day: String) -> SymmetricKey {
        var key = SymmetricKey(data: Array("AWS4\(credentials.secretAccessKey)".utf8))
        for part in [day, region, "s3", "aws4_request"] { key = SymmetricKey(data: authentication(of: part, by: key)) }
        return key
    }

    private func authentication(of text: String, by key: SymmetricKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    }

    /// The value without surrounding white space, and with single spaces inside.
    private static func trimmed(_ value: String) -> String {
        value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
    }
}
