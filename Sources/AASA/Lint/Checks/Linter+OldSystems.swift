import StrictJSON

/// Checks files that also support iOS 9 to 12. These systems read only `appID` and `paths`.
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
    /// serve 9-12 needs `apps: []`, and `appID` + `paths` in every item" [COMM]. A file is meant for these systems if
    /// an entry has the old keys next to the new ones, or if no entry has `components`.
    private func lintCompleteness() {
        guard let applinks = association.applinks, let items = applinks["details"]?.array else { return }
        let isMixed = items.contains { item in
            item["appID"]?.string != nil && item["paths"]?.array != nil
                && (item["appIDs"]?.array != nil || item["components"]?.array != nil)
        }
        let place = JSONPointer(tokens: ["applinks", "details"])
        let isOld =
            !items.isEmpty
            && items.enumerated().allSatisfy { index, item in
                item["paths"]?.array != nil && !expectsComponents(item, place.appending(index))
            }
        guard isMixed || isOld else { return }
        // If `apps` is not empty or not an array, another finding reports it.
        if applinks["apps"] == nil {
            add(.incompleteForOldSystems(reason: "\"apps\": [] is missing"), JSONPointer(tokens: ["applinks"]))
        }
        for (index, item) in items.enumerated() where item.object != nil {
            var missing: [String] = []
            if item["appID"]?.string == nil { missing.append("\"appID\"") }
            if item["paths"]?.array == nil { missing.append("\"paths\"") }
            guard !missing.isEmpty else { continue }
            // If an entry names no app on any system, another finding reports it.
            if isOld, item["appIDs"]?.array?.isEmpty != false { continue }
            add(
                .incompleteForOldSystems(reason: "this entry has no \(missing.joined(separator: " and no "))"),
                place.appending(index))
        }
    }

    private func expectsComponents(_ item: JSONValue, _ pointer: JSONPointer) -> Bool {
        guard let object = item.object else { return false }
        return object["components"] != nil
            || causes.unreadMember(of: object, at: pointer, meaning: ["components"]) != nil
    }

    /// The maximum number of rules tried for each list.
    private static let attempts = 16

    /// Reports a disagreement between `paths` and `components`. Returns whether it has added a finding.
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
            // "Only the path is compared, query and fragment ignored" [DOC], so only URLs without query and fragment
            // are tried.
            guard let url = ExampleURL.path(rule.path, nil, &budget) else { continue }
            let (before, after) = (oldFile.evaluate(url).outcome, newFile.evaluate(url).outcome)
            guard before != after else { continue }
            // Rules that `paths` cannot express are missing in `paths`, or exclude their whole path. This is not a
            // disagreement.
            if before != .opens, !(entry.rules ?? []).allSatisfy({ $0.isQueryAny && $0.fragment == nil }) { continue }
            let paths = before == .opens ? "opens the app" : "opens in the browser"
            let components = after == .opens ? "opens the app" : "opens in the browser"
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

    /// A file with only this entry, and with the defaults and variables that apply to it.
    private static func association(_ entry: JSONObject, _ whole: Association) -> Association {
        var entry = entry
        entry["appIDs"] = ["ABCDE12345.a"]
        var applinks = whole.applinks ?? JSONObject()
        applinks["details"] = [.object(entry)]
        return Association(root: ["applinks": .object(applinks)])
    }
}
