internal import ContentCoding
internal import NIOCore
internal import NIOHTTP1

/// Implements the serving contract as a pure function. It computes the response to a request from a table.
struct WellKnownResponder: Sendable {
    enum Answer {
        case found(PreparedFile.Form, version: Int64)
        case notModified(PreparedFile.Form, version: Int64)
        case problem(EdgeError)

        var status: Int {
            switch self {
            case .found: 200
            case .notModified: 304
            case .problem(let problem): problem.status
            }
        }

        /// True for invalid requests, because the bytes after one could be misread as another request.
        var endsConnection: Bool { [400, 414, 431].contains(status) }
    }

    /// The maximum length of a request target in bytes.
    static let longestURL = 8 * 1024
    /// The maximum total size of the header fields' names and values, in bytes.
    static let largestHead = 16 * 1024

    /// The proxies whose `X-Forwarded-Host` is trusted.
    let proxies: ProxyList

    /// Computes the response to a request head.
    ///
    /// It checks the host first, because a request without a valid host has no meaning. Then it checks the path, the
    /// method and the table, so a wrong path always returns 404.
    ///
    /// - Parameters:
    ///   - peer: The address of the client.
    ///   - table: The current table, or `nil` before the first snapshot.
    ///   - fetched: Called with the host in normal form and the version if the response is 200 or 304.
    func answer(
        _ head: HTTPRequestHead, fields: RequestFields, peer: @autoclosure () -> SocketAddress?,
        table: @autoclosure () -> ServingTable?, fetched: (UnsafeBufferPointer<UInt8>, Int64) -> Void
    ) -> Answer {
        let uri = head.uri.utf8
        guard uri.count <= Self.longestURL else { return .problem(.urlTooLong) }
        guard fields.size <= Self.largestHead else { return .problem(.headTooLarge) }
        // RFC 9112 section 3.2: a missing, duplicate or invalid Host returns 400, for any form of the target.
        guard fields.hostCount == 1, var host = fields.host.map({ Substring($0).utf8 }),
            HostField.withNormalized(host, { _ in true }) != nil
        else { return .problem(.malformedHost) }
        guard let target = RequestTarget(uri) else { return .problem(.malformedRequest) }
        if let named = target.namedHost {
            host = named
        } else if let authority = target.authority {
            // RFC 9112 section 3.2.2: the target's authority replaces the Host header.
            host = authority
        } else if fields.forwardedHostCount > 0, proxies.contains(peer()) {
            guard fields.forwardedHostCount == 1, let forwarded = fields.forwardedHost else {
                return .problem(.malformedHost)
            }
            host = Substring(forwarded).utf8
        }
        let answer = HostField.withNormalized(host) { name in
            let answer = find(name, head.method, target, fields, table())
            switch answer {
            case .found(_, let version), .notModified(_, let version): fetched(name, version)
            case .problem: break
            }
            return answer
        }
        return answer ?? .problem(.malformedHost)
    }

    private func find(
        _ host: UnsafeBufferPointer<UInt8>, _ method: HTTPMethod, _ target: RequestTarget, _ fields: RequestFields,
        _ table: ServingTable?
    ) -> Answer {
        guard target.isAssociationFile else { return .problem(.unknownPath) }
        guard method == .GET || method == .HEAD else { return .problem(.methodNotAllowed) }
        guard let table else { return .problem(.notReady) }
        return switch table.answer(host) {
        case .file(let file, let version): select(file, version, fields)
        case .unavailable: .problem(.fileUnavailable)
        case .unknown: .problem(.unknownHost)
        }
    }

    /// Selects the form that the client prefers. Responds with 304 if the client already has a form that it can read,
    /// because all forms have the same content.
    private func select(_ file: PreparedFile, _ version: Int64, _ fields: RequestFields) -> Answer {
        let preferred = fields.codings.prefers(.gzip) ? file.gzip ?? file.identity : file.identity
        guard !fields.ifNoneMatch.isEmpty else { return .found(preferred, version: version) }
        if EntityTags.match(fields.ifNoneMatch, tag: preferred.tag) { return .notModified(preferred, version: version) }
        let other = fields.codings.prefers(.gzip) ? file.identity : fields.codings.allows(.gzip) ? file.gzip : nil
        if let other, EntityTags.match(fields.ifNoneMatch, tag: other.tag) {
            return .notModified(other, version: version)
        }
        return .found(preferred, version: version)
    }
}
