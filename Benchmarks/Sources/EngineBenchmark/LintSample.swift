/// Invented files for lint, similar to files on the web: mostly `/place/*`, single pages, exclusions with a comment,
/// and sometimes a query, a fragment, a percent-encoded language, or a leading star.
enum LintSample {
    /// A file with different rules. They are distributed over its entries in turn, so that similar rules are in
    /// different entries. 1,000 rules have about 128 KiB.
    static func file(rules count: Int, entries: Int) -> [UInt8] {
        file(rules: (0..<count).map(rule), entries: entries)
    }

    /// A file with these rules, distributed over its entries in turn. Each rule is the text of a component.
    static func file(rules: [String], entries: Int) -> [UInt8] {
        let details = (0..<entries).map { entry in
            let own = stride(from: entry, to: rules.count, by: entries).map { "          " + rules[$0] }
            return """
                      {
                        "appIDs": ["Q1W2E3R4T5.org.wikitravels.app\(entry)"],
                        "components": [
                \(own.joined(separator: ",\n"))
                        ]
                      }
                """
        }
        return Array(#"{ "applinks": { "details": [\#n\#(details.joined(separator: ",\n"))\#n] } }\#n"#.utf8)
    }

    private static let places = [
        "account", "article", "auction", "bonus", "booking", "browser", "cart", "catalog", "chat", "collection",
        "deals", "event", "gallery", "group", "help", "holiday-parks", "invite", "join", "lodging", "news", "offer",
        "order", "partners", "product", "profile", "review", "search", "series", "settings", "share", "show", "story",
        "tracking", "trip", "user", "video", "wallet", "wishlist",
    ]

    private static let kinds = [
        "archive", "best", "city", "daily", "edition", "family", "gift", "history", "island", "journal", "kitchen",
        "list", "map", "night", "open", "past", "quick", "region", "season", "topic", "update", "village", "weekly",
    ]

    /// The component for a number. It is different for each number up to several ten thousand.
    private static func rule(_ number: Int) -> String {
        let place = places[number % places.count]
        let kind = kinds[number / places.count % kinds.count]
        let name = "\(kind)-\(number / places.count)"
        let path = "/\(place)/\(name)"
        return switch number % 20 {
        case 0, 1, 2, 3, 4, 5:
            #"{ "/": "\#(path)/*", "comment": "Matches any URL whose path starts with the text /\#(place)/\#(name)/" }"#
        case 6, 7:
            #"{ "/": "\#(path)", "comment": "The page \#(name) of \#(place), with nothing at all below it" }"#
        case 8, 9:
            #"{ "/": "\#(path)*", "comment": "All pages of \#(place) that begin with \#(name)" }"#
        case 10, 11, 12:
            #"{ "/": "/wiki/\#(place)_\#(name):*", "comment": "Exclude \#(name): such pages of \#(place) are read on the web", "exclude": true }"#
        case 13:
            #"{ "/": "/wiki/%E7%89%B9%E6%AE%8A_\#(number):*", "comment": "Exclude special pages, which the app does not have", "exclude": true }"#
        case 14:
            #"{ "/": "\#(path)", "?": { "app_id": "?*", "state": "" }, "comment": "The request for a token, which the app makes itself" }"#
        case 15:
            #"{ "/": "\#(path)*", "?": "tab=\#(number)", "exclude": true, "comment": "That tab stays on the web until the app has it" }"#
        case 16:
            ##"{ "/": "\##(path)/*", "#": "editor*", "exclude": true, "comment": "Exclude the editor, which is in the fragment" }"##
        case 17:
            #"{ "/": "/\#(place)/*/\#(name)/map", "comment": "The map of whatever stands in between" }"#
        case 18:
            #"{ "/": "/\#(place)/????/\#(name)/*", "caseSensitive": false, "comment": "By the year, any spelling" }"#
        default:
            #"{ "/": "*L2\#(kind)\#(number)c*", "exclude": true, "comment": "What a counter of clicks has encoded, for mails" }"#
        }
    }
}
