import Foundation
import ObjectStore
import StrictJSON

/// The operator's file of buckets: `{"buckets": [{"name", "endpoint", "region", "bucket", …}]}`. docs/buckets.md
/// describes each key. It contains the paths of credential files, but no credentials.
struct BucketsFile: Sendable {
    /// The maximum number of buckets.
    static let maximumBuckets = 20

    /// A bucket in the file.
    struct Entry: Sendable {
        /// The name: 1 to 63 lower-case letters, digits and hyphens, starting with a letter.
        let name: String
        let address: BucketAddress
        /// The beginning of every key, before the host. It is empty or ends with a slash.
        let prefix: String
        /// The file with the credentials. If `nil`, they are in environment variables.
        let credentialsFile: String?
        /// The interval between comparisons with the bucket's whole listing, in seconds: 1 to 240. So changes that
        /// others make are repaired within five minutes.
        let comparisonSeconds: Int
    }

    let entries: [Entry]

    /// Reads the file. A relative path of a credential file is relative to the folder of this file.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Settings.Invalid(name: "WAYMARK_BUCKETS_FILE", reason: "names \(path), which cannot be read")
        }
        do {
            let root = try JSONDocument(parsing: Array(data)).root
            entries = try JSONObjectReader.decode(root) { reader in
                reader.required(
                    "buckets", .array(of: Self.entry(in: SecretFile.folder(of: path)), max: Self.maximumBuckets))
            }
        } catch {
            throw Settings.Invalid(name: "WAYMARK_BUCKETS_FILE", reason: "names \(path), which has an error: \(error)")
        }
        guard Set(entries.map(\.name)).count == entries.count else {
            throw Settings.Invalid(
                name: "WAYMARK_BUCKETS_FILE", reason: "names \(path), which has two buckets with the same name")
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
                    "name", "invalid_name", "must be lower-case letters, digits and hyphens, starting with a letter")
                return nil
            }
            guard prefix.isEmpty || (prefix.hasSuffix("/") && !prefix.hasPrefix("/")) else {
                reader.fault("prefix", "invalid_prefix", "must end with a slash, and not start with one")
                return nil
            }
            guard let address = BucketAddress(endpoint: endpoint, region: region, bucket: bucket, style: style) else {
                reader.fault(
                    "endpoint", "invalid_endpoint",
                    "must be http(s)://host or http(s)://host:port; \"region\" must be letters, digits and hyphens, and "
                        + "\"bucket\" must be a bucket's name")
                return nil
            }
            guard address.isUsable else {
                reader.fault(
                    "style", "invalid_style",
                    "must be \"path\": \"virtualHost\" puts the bucket in front of the endpoint's host, so the host must not be "
                        + "an IP address, and over https the bucket's name must not have a dot")
                return nil
            }
            return Entry(
                name: name, address: address, prefix: prefix,
                credentialsFile: file.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }, comparisonSeconds: seconds)
        }
    }
}

extension BucketsFile.Entry {
    /// Reads the credentials from their file, or from the variables `WAYMARK_BUCKET_NAME_ACCESS_KEY_ID`,
    /// `…_SECRET_ACCESS_KEY` and `…_SESSION_TOKEN`. The file's lines are the access key ID, the secret access key and,
    /// optionally, the session token.
    func credentials(environment: [String: String]) throws -> Credentials {
        if let credentialsFile {
            guard let lines = try SecretFile(path: credentialsFile).lines() else {
                throw Settings.Invalid(
                    name: "WAYMARK_BUCKETS_FILE", reason: "names \(credentialsFile), which does not exist")
            }
            guard (2...3).contains(lines.count) else {
                throw Settings.Invalid(
                    name: "WAYMARK_BUCKETS_FILE",
                    reason: "names \(credentialsFile), which must have an access key ID and a secret access key, "
                        + "one per line")
            }
            return Credentials(
                accessKeyID: lines[0], secretAccessKey: lines[1], sessionToken: lines.count == 3 ? lines[2] : nil)
        }
        let stem = "WAYMARK_BUCKET_\(name.uppercased().replacing("-", with: "_"))_"
        guard let id = environment[stem + "ACCESS_KEY_ID"], let secret = environment[stem + "SECRET_ACCESS_KEY"] else {
            throw Settings.Invalid(
                name: "\(stem)ACCESS_KEY_ID",
                reason: "and \(stem)SECRET_ACCESS_KEY must be set, or credentialsFile in the buckets file")
        }
        return Credentials(accessKeyID: id, secretAccessKey: secret, sessionToken: environment[stem + "SESSION_TOKEN"])
    }
}
