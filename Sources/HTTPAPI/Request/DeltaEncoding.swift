import HTTPTypes

/// Delta encoding (RFC 3229), which only the manifest supports.
enum DeltaEncoding {
    /// The name of this delta encoding, as in the fields `A-IM` and `IM`.
    static let name = "waymark-delta"

    /// True if the request accepts a delta: `A-IM` contains the name with a weight above zero.
    static func isAccepted(_ request: HTTPRequest) -> Bool {
        guard let header = request.headerFields[.acceptedManipulations] else { return false }
        return header.split(separator: ",").contains { element in
            let fields = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            return fields.first == name
                && !fields.dropFirst().contains { weight in
                    weight.hasPrefix("q=") && Double(weight.dropFirst(2)) == 0
                }
        }
    }
}

extension HTTPResponse.Status {
    /// The status 226 IM Used.
    static let imUsed = HTTPResponse.Status(code: 226, reasonPhrase: "IM Used")
}
