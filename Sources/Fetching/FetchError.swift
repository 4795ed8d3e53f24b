/// The reason why an address could not be fetched.
public enum FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Too many requests are in progress.
    case busy
    /// The name does not exist, or its name servers do not answer.
    case unknownHost
    /// The name has an address that is not public.
    case specialAddress(IPAddress)
    /// A step took too long.
    case timedOut(String)
    /// The connection was refused, or it ended early.
    case noConnection
    /// The TLS handshake failed. Usually the certificate is expired, for another name, or of an unknown authority.
    case handshakeFailed
    /// The answer is a redirect.
    case redirect(status: Int)
    /// The status is not 200.
    case status(Int)
    /// The answer is larger than this number of bytes.
    case tooLarge(limit: Int)
    /// The answer is compressed, although the request did not allow it.
    case compressed
    /// The answer is not HTTP.
    case malformed

    /// What happened, as the end of a sentence that starts with the address.
    public var description: String {
        switch self {
        case .busy: "was not asked, because too many requests are in progress"
        case .unknownHost: "has a host name that cannot be resolved"
        case .specialAddress(let address): "has the address \(address), which is not a public address"
        case .timedOut(let step): "took too long: \(step)"
        case .noConnection: "cannot be connected to, or closed the connection early"
        case .handshakeFailed: "has no valid TLS certificate for its name"
        case .redirect(let status): "answers with a redirect (\(status)), which is not followed"
        case .status(let status): "answers with the status \(status)"
        case .tooLarge(let limit): "answers with more than \(limit) bytes"
        case .compressed: "answers with a compressed body"
        case .malformed: "does not answer with HTTP"
        }
    }
}
