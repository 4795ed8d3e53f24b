import Hex
import Storage

extension StaticPages {
    /// The folders whose files get a versioned address.
    private static let assets = ["styles", "scripts", "images"]

    /// A digest of all scripts, styles and images. Part of their addresses: modules import each other by relative paths, so
    /// one version for all of them is enough, and a page never mixes files of two versions.
    static func version(of files: [String: Page]) -> String {
        let tags = files.filter { file in assets.contains { file.key.hasPrefix("/\($0)/") } }
            .sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.tag)\n" }
        return String(Hexadecimal.encode(digest(Array(tags.joined().utf8))).prefix(16))
    }

    /// The pages with versioned addresses for their scripts, styles and images: `/assets/VERSION/styles/base/base.css`.
    /// A browser keeps such a file, so that the next page needs one request.
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
