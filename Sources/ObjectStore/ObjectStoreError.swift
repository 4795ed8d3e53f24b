/// Why a bucket did not do what it was asked. The description is for everyone who may see how far a file has got: it
/// repeats nothing of what the store said but a status and a code.
public enum ObjectStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The store has refused; `message` is what it said, for the operator's log.
    case refused(status: Int, code: String, message: String)
    /// The condition of a write was not met: somebody else has written meanwhile.
    case changedMeanwhile
    /// The store does not delete under a condition.
    case noCondition
    /// No answer in time.
    case timedOut
    /// No connection, or one that broke.
    case unreachable(String)
    /// An answer that is not what S3 answers, in words.
    case unreadable(String)
    /// The caller has ended the work.
    case cancelled

    /// What is wrong, in a sentence without a full stop.
    public var description: String {
        switch self {
        case .refused(let status, let code, _):
            "the bucket answers \(status)\(code.isEmpty ? "" : " \(code)")\(Self.meaning[code].map { ": \($0)" } ?? "")"
        case .changedMeanwhile: "somebody else wrote the object at the same time"
        case .noCondition: "the bucket does not delete under a condition"
        case .timedOut: "the bucket did not answer in time"
        case .unreachable: "the bucket cannot be reached"
        case .unreadable(let what): "the bucket answers what S3 would not: \(what)"
        case .cancelled: "the work was called off"
        }
    }

    /// What the store or the network said besides, for the operator's log.
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
        "RequestTimeTooSkewed": "the clock of this machine is off",
        "PermanentRedirect": "the bucket is in another region, or at another endpoint",
        "AuthorizationHeaderMalformed": "the region is not the bucket's",
        "NotImplemented": "the store does not know such a request; it has to write under a condition",
        "ExpiredToken": "the session token has expired",
    ]
}
