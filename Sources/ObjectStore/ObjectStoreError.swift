/// An error of a request to a bucket. Every member who can see a file's progress can read the description. So the
/// description contains only the status and the code of the store's response.
public enum ObjectStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The store refused the request. `message` is the store's text, for the operator's log.
    case refused(status: Int, code: String, message: String)
    /// The condition of a write failed, because another client wrote the object meanwhile.
    case changedMeanwhile
    /// The store does not support conditional deletion.
    case noCondition
    /// The store did not respond in time.
    case timedOut
    /// The connection could not be opened or was lost.
    case unreachable(String)
    /// The response is not valid S3. The value describes the problem.
    case unreadable(String)
    /// The caller cancelled the request.
    case cancelled

    /// The problem, as a sentence without a period.
    public var description: String {
        switch self {
        case .refused(let status, let code, _):
            "the bucket answers \(status)\(code.isEmpty ? "" : " \(code)")\(Self.meaning[code].map { ": \($0)" } ?? "")"
        case .changedMeanwhile: "someone else wrote the object at the same time"
        case .noCondition: "the bucket does not support conditional deletion"
        case .timedOut: "the bucket did not answer in time"
        case .unreachable: "the bucket cannot be reached"
        case .unreadable(let what): "the bucket's answer is not valid for S3: \(what)"
        case .cancelled: "the request was cancelled"
        }
    }

    /// The store's or the network's own text, for the operator's log.
    public var detail: String {
        switch self {
        case .refused(_, _, let message): message
        case .unreachable(let why): why
        default: ""
        }
    }

    private static let meaning = [
        "SignatureDoesNotMatch": "the secret access key is not the one of the access key ID",
        "InvalidAccessKeyId": "the store does not know the access key ID",
        "AccessDenied": "the credentials do not allow it",
        "NoSuchBucket": "there is no such bucket",
        "RequestTimeTooSkewed": "the clock of this machine is wrong",
        "PermanentRedirect": "the bucket is in another region, or at another endpoint",
        "AuthorizationHeaderMalformed": "the bucket is not in this region",
        "NotImplemented": "the store does not support this request; it must support conditional writes",
        "ExpiredToken": "the session token has expired",
    ]
}
