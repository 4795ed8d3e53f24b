import Hex
import Storage

extension StaticPages {
    /// The folders whose files have versioned addresses.
    private static let assets = ["styles", "scripts", "images"]

    /// The number of hexadecimal digits of a version.
    private static let versionLength = 10

    /// A digest of all scripts, styles and images, which is part of their addresses. All files have the same version,
    /// because modules import each other by relative paths. So a page never mixes files of two versions.
    static func version(of files: [String: Page]) -> String {
        let tags = files.filter { file in assets.contains { file.key.hasPrefix("/\($0)/") } }
            .sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.tag)\n" }
        return String(Hexadecimal.encode(digest(Array(tags.joined().utf8))).prefix(versionLength))
    }

    /// Replaces the addresses of scripts, styles and images by versioned ones, such as
    /// `/assets/VERSION/styles/base/base.css`. Browsers cache these files, so the next page needs only one request.
    static func withVersionedAddresses(_ pages: [String: Page], version: String) -> [String: Page] {
        pages.reduce(into: pages) { result, item in
            guard item.key.hasSuffix(".html") else { return }
            var text = String(decoding: item.value.bytes, as: UTF8.self)
            for folder in assets {
                text.replace("=\"/\(folder)/", with: "=\"/assets/\(version)/\(folder)/")
            }
            result[item.key] = Page(bytes: Array(text.utf8), type: item.value.type)
        }
    }
}
