import AASA
import StrictJSON

/// The file, the patterns and the URLs for measuring decisions. They are invented, but similar to real files.
enum Sample {
    /// 16 path patterns for each of 8 apps, similar to real files: mostly a place with everything below it, some pages,
    /// and some inner wildcards.
    static let patterns: [[String]] = ["shop", "news", "bank", "maps", "chat", "play", "ride", "cook"].map { brand in
        [
            "/\(brand)/sign-in/*", "/\(brand)/*/print", "/\(brand)/legal/*", "/\(brand)/item/????-????",
            "/\(brand)/item/*", "/\(brand)/category/*/sale", "/\(brand)/search", "/\(brand)/gift/*",
            "/\(brand)/order/*/track", "/\(brand)/order/?*", "/\(brand)/profile/*", "/\(brand)/invite/*",
            "/\(brand)/help", "/\(brand)/help/*", "/\(brand)/offers/2026/*", "/\(brand)/*/share/*",
        ]
    }

    static let paths = [
        "/shop/item/1234-5678/", "/news/category/world/today/sale/", "/bank/order/20261121/track/",
        "/maps/help/contact/", "/chat/somewhere/else/share/now/", "/about/", "/cook/unknown/page/",
        "/ride/offers/2026/november/",
    ]

    static let urls = paths.map { "https://www.example.com" + $0.dropLast() + "?utm_source=mail&utm_campaign=winter" }

    static let association = file(
        patterns.enumerated().map { app, patterns in
            (app: "ABCDE12345.com.example.app\(app)", patterns: patterns)
        })

    static func file(_ entries: [(app: String, patterns: [String])]) -> Association {
        let details = entries.map { entry in
            JSONValue.object([
                "appIDs": [.string(entry.app)],
                "components": .array(entry.patterns.map { .object(["/": .string($0)]) }),
            ])
        }
        return Association(root: ["applinks": ["details": .array(details)]])
    }
}
