import Foundation
import ObjectStore
import StrictJSON

/// The operator's file of buckets: `{"buckets": [{"name", "endpoint", "region", "bucket", …}]}`; docs/buckets.md tells of
/// each key. It names where credentials are, and holds none.
struct BucketsFile: Sendable {
    /// At most so many buckets.
    static let mostBuckets = 20

    /// One bucket of the file.
    struct Entry: Sendable {
        /// 1 to 63 lower-case letters, digits and hyphens, from a letter on.
        let name: String
        let address: BucketAddress
        /// Before the host in every key; empty or with a slash at its end.
        let prefix: String
        /// Where the credentials are; `nil` for the environment.
        let credentialsFile: String?
        /// Seconds from one comparison of all that the bucket lists to the next: 1 to 240, so that what somebody else has
        /// changed is repaired within five minutes.
        let comparisonSeconds: Int
    }

    let entries: [Entry]

    /// Reads the file; a relative name of a credentials file begins at its folder.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Settings.Invalid(name: "WAYMARK_BUCKETS_FILE", reason: "names \(path), which cannot be read")
        }
        do {
            let root = try JSONDocument(parsing: Array(data)).root
            entries = try JSONObjectReader.decode(root) { reader in
                reader.required(
                    "buckets", .array(of: Self.entry(in: SecretFile.folder(of: path)), max: Self.mostBuckets))
            }
        } catch {
            throw Settings.Invalid(name: "WAYMARK_BUCKETS_FILE", reason: "names \(path), in which \(error)")
        }
        guard Set(entries.map(\.name)).count == entries.count else {
            throw Settings.Invalid(name: "WAYMARK_BUCKETS_FILE", reason: "names \(path), with two buckets of one name")
        }
    }

    private static func entry(in folder: String) -> JSONShape<Entry> {
        .object { reader in
            let name = reader.required("name", .text(min: 1, max: 63))
            let endpoint = reader.required("endpoint", .text(min: 1, max: 300))
            let region = reader.required("region", .text(min: 1, max: 64))
            let bucket = reader.required("bucket", .text(min: 3, max: 63))
            let style = reader.optional("style", .choice(of: BucketAddress.Style.self), default: .virtualHost)
            let prefix = reader.optional("prefix", .text(max: 200), default: "")
            let file = reader.optional("credentialsFile", .text(min: 1, max: 4_096))
            let seconds = reader.optional("comparisonSeconds", .int(in: 1...240), default: 60)
            guard let name, let endpoint, let region, let bucket else { return nil }
            guard name.wholeMatch(of: /[a-z][a-z0-9\-]*/) != nil else {
                reader.fault(
                    "name", "invalid_name", "has to be lower-case letters, digits and hyphens, from a letter on")
                return nil
            }
            guard prefix.isEmpty || (prefix.hasSuffix("/") && !prefix.hasPrefix("/")) else {
                reader.fault("prefix", "invalid_prefix", "has to end in a slash, and not to begin with one")
                return nil
            }
            guard let address = BucketAddress(endpoint: endpoint, region: region, bucket: bucket, style: style) else {
                reader.fault(
                    "endpoint", "invalid_endpoint",
                    "has to be http(s)://host or http(s)://host:port, \"region\" letters, digits and hyphens, and \"bucket\" "
                        + "a bucket's name")
                return nil
            }
            guard address.isUsable else {
                reader.fault(
                    "style", "invalid_style",
                    "has to be \"path\" here: \"virtualHost\" puts the bucket before the endpoint's host, which must not "
                        + "be an IP address, nor over https the bucket have a dot in its name")
                return nil
            }
            return Entry(
                name: name, address: address, prefix: prefix,
                credentialsFile: file.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }, comparisonSeconds: seconds)
        }
    }
}

extension BucketsFile.Entry {
    /// The credentials: of their file, a line each for the access key ID, the secret access key and, where there is one,
    /// the session token; or of `WAYMARK_BUCKET_NAME_ACCESS_KEY_ID`, `…_SECRET_ACCESS_KEY` and `…_SESSION_TOKEN`.
    func credentials(environment: [String: String]) throws -> Credentials {
        if let credentialsFile {
            guard let lines = try SecretFile(path: credentialsFile).lines() else {
                throw Settings.Invalid(
                    name: "WAYMARK_BUCKETS_FILE", reason: "names \(credentialsFile), which is not there")
            }
            guard (2...3).contains(lines.count) else {
                throw Settings.Invalid(
                    name: "WAYMARK_BUCKETS_FILE",
                    reason: "names \(credentialsFile), which has to hold an access key ID and a secret access key, "
                        + "a line each")
            }
            return Credentials(
                accessKeyID: lines[0], secretAccessKey: lines[1], sessionToken: lines.count == 3 ? lines[2] : nil)
        }
        let stem = "WAYMARK_BUCKET_\(name.uppercased().replacing("-", with: "_"))_"
        guard let id = environment[stem + "ACCESS_KEY_ID"], let secret = environment[stem + "SECRET_ACCESS_KEY"] else {
            throw Settings.Invalid(
                name: "\(stem)ACCESS_KEY_ID",
                reason: "and \(stem)SECRET_ACCESS_KEY have to be set, or a credentialsFile")
        }
        return Credentials(accessKeyID: id, secretAccessKey: secret, sessionToken: environment[stem + "SESSION_TOKEN"])
    }
}
