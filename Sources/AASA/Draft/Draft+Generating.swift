public import StrictJSON

extension Draft {
    /// The association that the draft generates. The result is the same each time, byte for byte.
    ///
    /// With ``Compatibility/ios9``, the file also has the keys that iOS 9 to 12 read. Its meaning on iOS 13 and later
    /// is unchanged. On iOS 9 to 12, `appID` is a single app, so an entry with several apps becomes one element of
    /// `details` for each app.
    public func association() -> Association {
        var root = extras
        for service in services {
            root[service.name] = ["apps": .array(service.values.map { .string($0) })]
        }
        let applinks = applinks
        // An empty `applinks` from an import stays in the file, because a file without any service is an error (WM008).
        root["applinks"] = applinks.isEmpty && extras["applinks"] == nil ? nil : .object(applinks)
        return Association(root: root)
    }

    /// The rules that iOS 9 to 12 cannot follow completely, in the order of the draft. Empty if the draft does not
    /// support these systems.
    public var legacyLosses: [LegacyLoss] { compatibility == .ios9 ? legacy.losses : [] }

    /// The entry and the rule at a pointer into the draft's association, for example a pointer from an ``Evaluation``.
    /// The rule is `nil` if the pointer refers to an element of `details` or to its `paths`.
    public func place(at pointer: JSONPointer) -> (entry: Entry, rule: Rule?)? {
        place(at: pointer, among: entriesOfElements)
    }

    /// The source entry of each element of `details` in the draft's association.
    public var entriesOfElements: [Entry] {
        entries.flatMap { Array(repeating: $0, count: appLists(of: $0).count) }
    }

    /// Same as ``place(at:)``, with ``entriesOfElements`` computed once by the caller. Use it to look up many pointers.
    public func place(at pointer: JSONPointer, among elements: [Entry]) -> (entry: Entry, rule: Rule?)? {
        let tokens = pointer.tokens
        guard tokens.count >= 3, tokens[0] == "applinks", tokens[1] == "details", let element = Int(tokens[2]) else {
            return nil
        }
        guard elements.indices.contains(element) else { return nil }
        let entry = elements[element]
        guard tokens.count == 5, tokens[3] == "components", let index = Int(tokens[4]), let rules = entry.rules,
            rules.indices.contains(index)
        else { return (entry, nil) }
        return (entry, rules[index])
    }

    /// Where each rule stands in the draft's association, by the rule's ID. If an entry has several elements, the pointer
    /// leads to the first.
    var rulePlaces: [String: JSONPointer] {
        var places: [String: JSONPointer] = [:]
        var element = 0
        for entry in entries {
            let components = JSONPointer(tokens: ["applinks", "details"]).appending(element).appending("components")
            for (index, rule) in (entry.rules ?? []).enumerated() { places[rule.id] = components.appending(index) }
            element += appLists(of: entry).count
        }
        return places
    }

    private var applinks: JSONObject {
        var object = extras["applinks"]?.object ?? JSONObject()
        object["defaults"] = component(defaults)
        if !substitutionVariables.isEmpty {
            object["substitutionVariables"] = .object(Self.object(substitutionVariables))
        }
        if !entries.isEmpty {
            let paths = compatibility == .ios9 ? legacy.paths : []
            object["details"] = .array(
                entries.enumerated().flatMap { index, entry in
                    appLists(of: entry).map { apps in
                        .object(details(entry, apps: apps, paths: paths.indices.contains(index) ? paths[index] : nil))
                    }
                })
        }
        // "`apps`: required and empty on 9-12" [DOC].
        if compatibility == .ios9, !object.isEmpty { object["apps"] = [] }
        return object
    }

    /// The apps of each element of `details` that an entry generates.
    private func appLists(of entry: Entry) -> [[String]] {
        guard compatibility == .ios9, entry.apps.count > 1 else { return [entry.apps] }
        return entry.uniqueApps.map { [$0] }
    }

    private func details(_ entry: Entry, apps: [String], paths: [String]?) -> JSONObject {
        var object = entry.extras
        object["appIDs"] = .array(apps.map { .string($0) })
        object["defaults"] = component(entry.defaults)
        object["components"] = entry.rules.map { rules in
            .array(rules.map { .object($0.fields.component(withComment: publishComments)) })
        }
        if let paths {
            object["appID"] = apps.first.map { .string($0) }
            object["paths"] = .array(paths.map { .string($0) })
            if entry.rules == nil, needsCatchAll(entry) {
                object["components"] = [.object(RuleFields.catchAll.component(withComment: false))]
            }
        }
        return object
    }

    /// Whether an entry that opens every URL needs an explicit rule for this. If an element has `paths` but no
    /// `components`, iOS 13 and later apply `defaults` to the `paths`, and `defaults` can restrict them.
    func needsCatchAll(_ entry: Entry) -> Bool {
        compatibility == .ios9 && !(entry.defaults.isEmpty && defaults.isEmpty)
    }

    /// The `paths` of each entry, and the rules that they cannot express.
    private var legacy: (paths: [[String]], losses: [LegacyLoss]) {
        var losses: [LegacyLoss] = []
        let bytes = Association.maximumSize / max(entries.count, 1)
        let paths = entries.map { entry in
            guard let rules = entry.rules else { return ["*"] }
            var legacy = LegacyPaths(self, entryDefaults: entry.defaults, bytes: bytes)
            return rules.flatMap { rule in
                let (paths, loss) = legacy.paths(rule.fields)
                if let loss {
                    losses.append(LegacyLoss(entry: entry.id, rule: rule.id, kind: loss.kind, detail: loss.detail))
                }
                return paths
            }
        }
        return (paths, losses)
    }

    /// The defaults as a component in the file, or `nil` if they are empty.
    private func component(_ fields: RuleFields) -> JSONValue? {
        let object = fields.component(withComment: publishComments)
        return object.isEmpty ? nil : .object(object)
    }
}

extension RuleFields {
    /// A rule that opens every URL under any `defaults`.
    static let catchAll = RuleFields(path: "*", query: .whole("*"), fragment: "*", exclude: false)
}

extension Draft.Entry {
    /// The apps without duplicates.
    var uniqueApps: [String] {
        var seen: Set<[UInt8]> = []
        return apps.filter { seen.insert(Array($0.utf8)).inserted }
    }
}
