import StrictJSON

/// Files that are to serve iOS 9 to 12 as well, which know `appID` and `paths` only.
extension Linter {
    func lintOldSystems() {
        lintCompleteness()
        for entry in entries {
            guard let object = association.root[entry.reading.pointer]?.object, let paths = object["paths"]?.array,
                object["components"]?.array != nil, let rules = entry.rules, servesOldSystems(object)
            else { continue }
            let pointer = entry.reading.pointer.appending("paths")
            if !lintAgreement(entry, object, pointer) {
                let richer = rules.count { $0.fragment != nil || !$0.isQueryAny || $0.isFolded || $0.isDecoded }
                if richer > 0, !paths.isEmpty { add(.pathsSayLess(rules: richer), key: pointer) }
            }
        }
    }

    /// "A `details` item without `appID`/`paths` made the whole file fail on iOS 12 and earlier, so a file that must
    /// serve 9-12 needs `apps: []`, and `appID` + `paths` in every item" [COMM]. It is meant to serve them if an entry
    /// has the old keys next to the new ones.
    private func lintCompleteness() {
        guard let applinks = association.applinks, let items = applinks["details"]?.array else { return }
        let isMeant = items.contains { item in
            item["appID"]?.string != nil && item["paths"]?.array != nil
                && (item["appIDs"]?.array != nil || item["components"]?.array != nil)
        }
        guard isMeant else { return }
        if applinks["apps"]?.array?.isEmpty != true {
            add(
                .incompleteForOldSystems(reason: "\"apps\" must be there, and empty"), JSONPointer(tokens: ["applinks"])
            )
        }
        for (index, item) in items.enumerated() where item.object != nil {
            guard item["appID"]?.string == nil || item["paths"]?.array == nil else { continue }
            add(
                .incompleteForOldSystems(reason: "this entry has no \"appID\" or no \"paths\""),
                JSONPointer(tokens: ["applinks", "details"]).appending(index))
        }
    }

    /// So many rules of each list are tried.
    private static let attempts = 16

    /// Tells whether a finding has been made.
    private func lintAgreement(_ entry: EntryShape, _ object: JSONObject, _ pointer: JSONPointer) -> Bool {
        var (old, new) = (object, object)
        old["components"] = nil
        new["paths"] = nil
        let asOld = asShapes(old)
        let count = asOld.count + (entry.rules?.count ?? 0)
        guard budget.spend(64 * count) else { return false }
        let (oldFile, newFile) = (alone(old), alone(new))
        for rule in asOld.prefix(Self.attempts) + (entry.rules ?? []).prefix(Self.attempts) {
            guard budget.spend(400 + 2 * count) else { return false }
            // "Only the path is compared, query and fragment ignored" [DOC]: so only URLs that have neither are asked.
            guard let url = ExampleURL.path(rule.path, nil, &budget) else { continue }
            let (before, after) = (oldFile.evaluate(url).outcome, newFile.evaluate(url).outcome)
            guard before != after else { continue }
            // What `paths` cannot express is kept on the web, or excluded with its whole path: that is no contradiction.
            if before != .opens, !(entry.rules ?? []).allSatisfy({ $0.isQueryAny && $0.fragment == nil }) { continue }
            let paths = before == .opens ? "opens the app" : "stays on the web"
            let components = after == .opens ? "opens the app" : "stays on the web"
            guard paths != components else { continue }
            add(.pathsDisagree(url: url, paths: paths, components: components), key: pointer)
            return true
        }
        return false
    }

    private func asShapes(_ object: JSONObject) -> [RuleShape] {
        EntryShape.entries(of: Self.association(object, association), variables: variables).first?.rules ?? []
    }

    private func alone(_ object: JSONObject) -> CompiledAssociation {
        CompiledAssociation(Self.association(object, association))
    }

    /// One entry alone, with what applies to it.
    private static func association(_ entry: JSONObject, _ whole: Association) -> Association {
        var entry = entry
        entry["appIDs"] = ["ABCDE12345.a"]
        var applinks = whole.applinks ?? JSONObject()
        applinks["details"] = [.object(entry)]
        return Association(root: ["applinks": .object(applinks)])
    }
}
