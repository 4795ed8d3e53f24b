public import AASA
public import FoundationEssentials
import Hex
import Postgres
import StrictJSON

/// A request for approval of the files of some domains.
public struct ApprovalRequest: Hashable, Sendable {
    /// The state of a request.
    public enum State: String, CaseIterable, Sendable {
        /// Files lack approvals.
        case open
        /// All files have the approvals that they need.
        case approved
        /// All files have been live since the request. Its approvals still count for these files.
        case published
        /// A person rejected it. Its approvals no longer count.
        case rejected
        /// It was cancelled. Its approvals no longer count.
        case cancelled
    }

    /// A file that a request is about.
    public struct File: Hashable, Sendable {
        /// The domain.
        public let host: Host
        /// The version, or `nil` for the file of the draft.
        public let version: Int?
        /// The revision of the draft that generates the file.
        public let draftRevision: Int
        /// The file's SHA-256, 32 bytes.
        public let sha256: [UInt8]
        /// The file's size in bytes.
        public let size: Int
        /// True if the draft now generates another file. Approvals of this file do not count for that file.
        public let isOutdated: Bool
        /// True if exactly this file is live.
        public let isLive: Bool
        /// Those who edited the file since the live version was saved, people first. They cannot approve it. At most 100
        /// are listed.
        public let editors: [Author]
        /// The approvals that it needs and has, or `nil` if no policy applies any more.
        public internal(set) var need: ApprovalNeed?
        /// The addresses of the people whose approvals were recorded for this file, in order.
        public let approvers: [String]

        /// The detail of an audit entry about files: their number, and the host and SHA-256 of each.
        static func detail(_ files: [File]) -> [(String, JSONValue)] {
            let list = files.map {
                ["host": .string($0.host.description), "sha256": .string(Hexadecimal.encode($0.sha256))] as JSONValue
            }
            return [("files", .int(files.count)), ("domains", .array(list))]
        }
    }

    /// A comment, an approval or a rejection.
    public struct Review: Hashable, Sendable {
        /// The kind of a review.
        public enum Kind: String, CaseIterable, Sendable {
            /// A remark without a decision.
            case comment
            /// The author approves the files.
            case approval
            /// The author rejects the request.
            case rejection

            /// The maximum number of reviews of this kind. Comments leave room for decisions. A rejection ends the
            /// request, so there is only one.
            public var maximum: Int {
                switch self {
                case .comment: 200
                case .approval: 99
                case .rejection: 1
                }
            }
        }

        /// The review's ID.
        public let id: ID<Review>
        /// The kind.
        public let kind: Kind
        /// The text. Only the text of an approval may be empty.
        public let text: String
        /// The author.
        public let author: Author
        /// The time when it was written.
        public let createdAt: Date
    }

    /// The maximum number of files of a request.
    public static let maximumFiles = 100
    /// The maximum number of reviews of a request.
    public static let maximumReviews = Review.Kind.allCases.map(\.maximum).reduce(0, +)
    /// The maximum number of requests of an organization that are open or approved.
    public static let maximumOpen = 200
    /// The maximum number of them by one person, or by all tokens together. So other people can still request approval.
    public static let maximumOpenOfAuthor = 100

    /// The request's ID.
    public let id: ID<ApprovalRequest>
    /// Why the change is made.
    public let message: String
    /// Who asks for approval.
    public let requester: Author
    /// The time of the request.
    public let createdAt: Date
    /// The time when it was published, rejected or cancelled.
    public let endedAt: Date?
    /// The files, sorted by host.
    public let files: [File]
    private let ending: State?

    /// The state. It depends on the policies and members at the time of reading.
    public var state: State { ending ?? (files.allSatisfy { $0.need?.isMet ?? true } ? .approved : .open) }

    static let columns: SQL = "id, state, message, requester_kind, requester_name, created_at, ended_at"

    init(row: Row, files: [File]) throws {
        id = try row.id("id")
        let state = try row.value("state", State.init(rawValue:))
        ending = state == .open ? nil : state
        message = try row.decode("message", as: String.self)
        requester = try row.author(kind: "requester_kind", name: "requester_name")
        createdAt = try row.decode("created_at", as: Date.self)
        endedAt = try row.decode("ended_at", as: Date?.self)
        self.files = files
    }
}

extension ApprovalRequest.File {
    init(row: Row) throws {
        host = try row.host("host")
        version = try row.decode("version", as: Int?.self)
        draftRevision = try row.decode("draft_revision", as: Int.self)
        sha256 = try row.decode("sha256", as: [UInt8].self)
        size = try row.decode("size", as: Int.self)
        isOutdated = try row.decode("is_outdated", as: Bool.self)
        isLive = try row.decode("is_live", as: Bool.self)
        editors = try row.decode("editors", as: [String].self).compactMap(Author.init(record:))
        approvers = try row.decode("approvers", as: [String].self)
    }
}

extension ApprovalRequest.Review {
    init(row: Row) throws {
        id = try row.id("id")
        kind = try row.value("kind", Kind.init(rawValue:))
        text = try row.decode("text", as: String.self)
        author = try row.author(kind: "author_kind", name: "author_name")
        createdAt = try row.decode("created_at", as: Date.self)
    }
}
