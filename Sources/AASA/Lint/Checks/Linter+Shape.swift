import StrictJSON

/// Checks that every value has the documented type, and that iOS knows every key.
extension Linter {
    func lintShape() {
        let root = JSONPointer()
        var hasService = false
        for member in association.root.members {
            // Once the report is full, comparing names is unnecessary work.
            if isTruncated { hasService = hasService || Association.services.contains(member.name) }
            guard !isTruncated else { continue }
            let pointer = root.appending(member.name)
            // All services have `apps`, and only `applinks` has `details`.
            let looksLikeService = member.value["apps"]?.array?.isEmpty == false
            let looksLikeApplinks = member.value["details"] != nil && association.root["applinks"] == nil
            if Association.services.contains(member.name) {
                hasService = true
                lintService(member.name, member.value, pointer)
            } else if let meant = NearestName.of(member.name, among: Association.services) {
                lintMisspelledService(member.name, meant, pointer)
            } else if looksLikeApplinks {
                add(
                    .misspelledKey(member.name, meant: "applinks"), key: pointer,
                    fix: renaming(pointer, to: "applinks"))
            } else if looksLikeService {
                // It may be an Apple service that is not in the list.
                hasService = true
                lintService(member.name, member.value, pointer)
            } else {
                let misplaced = MisplacedKeys.problem(
                    member.name, member.value, in: .root, services: Association.services)
                add(misplaced ?? .unknownKey(member.name), key: pointer)
            }
        }
        if !hasService { add(.noService, root) }
    }

    /// Reports a misspelled service. If the correct name is in the file too, the misspelled one may be a leftover.
    private func lintMisspelledService(_ name: String, _ meant: String, _ pointer: JSONPointer) {
        guard association.root[meant] == nil else { return add(.misspelledKey(name, meant: meant), key: pointer) }
        let effect = meant == "applinks" ? "no app opens a link of this domain" : "the service has no effect"
        add(.misspelledSection(name, meant: meant, effect: effect), key: pointer, fix: renaming(pointer, to: meant))
    }

    private func lintService(_ name: String, _ value: JSONValue, _ pointer: JSONPointer) {
        guard let object = object(value, pointer, effect: "iOS ignores the whole service") else { return }
        guard name != "applinks" else { return lintApplinks(object, pointer) }
        lintKeys(object, ["apps"], in: .service, pointer)
        if let apps = object["apps"] {
            lintStrings(apps, "app IDs", pointer.appending("apps"), effect: "the service applies to no app")
        }
        if object["apps"].map({ $0.array?.isEmpty == true }) ?? true, !causes.lie(in: pointer) {
            add(.emptyService(name), key: pointer)
        }
    }

    private func lintApplinks(_ applinks: JSONObject, _ pointer: JSONPointer) {
        lintKeys(applinks, ["apps", "details", "defaults", "substitutionVariables"], in: .applinks, pointer)
        if let apps = applinks["apps"] {
            lintStrings(apps, "app IDs", pointer.appending("apps"), effect: "iOS ignores it")
            if apps.array?.isEmpty == false {
                let isIgnored = applinks["details"] != nil
                let place = pointer.appending("apps")
                add(
                    .nonEmptyApps(isIgnored: isIgnored), place,
                    fix: isIgnored && areInEntries(apps)
                        ? replacing(place, [], "Write an empty array", keepsOutcomes: true) : nil)
            }
        }
        if let defaults = applinks["defaults"] { lintDefaults(defaults, pointer.appending("defaults")) }
        if let variables = applinks["substitutionVariables"] {
            lintVariableTypes(variables, pointer.appending("substitutionVariables"))
        }
        let place = pointer.appending("details")
        switch applinks["details"] {
        case nil: break
        case .array(let items):
            for (index, item) in items.enumerated() { lintDetails(item, place.appending(index), isLegacy: false) }
        case .object(let items):
            add(.legacyDetails, key: place, fix: asArray(items, place))
            for item in items.members { lintDetails(item.value, place.appending(item.name), isLegacy: true) }
        case let other?:
            add(.wrongType(wanted: "an array of objects", found: other.typeName, effect: "no app opens a URL"), place)
        }
    }

    private func lintDetails(_ value: JSONValue, _ pointer: JSONPointer, isLegacy: Bool) {
        guard let details = object(value, pointer, effect: "iOS ignores the entry") else { return }
        let apps = isLegacy ? [] : ["appIDs", "appID"]
        lintKeys(details, apps + ["components", "paths", "defaults"], in: .entry, pointer)
        if let ids = details["appIDs"] {
            lintStrings(
                ids, "app IDs", pointer.appending("appIDs"), effect: "iOS uses \"appID\" instead, if there is one")
        }
        if let id = details["appID"], id.string == nil {
            add(
                .wrongType(wanted: "a string with one app ID", found: id.typeName, effect: "iOS ignores it"),
                pointer.appending("appID"))
        }
        if let defaults = details["defaults"] { lintDefaults(defaults, pointer.appending("defaults")) }
        lintPatterns(details, pointer)
    }

    private func lintPatterns(_ details: JSONObject, _ pointer: JSONPointer) {
        if let components = details["components"] {
            let place = pointer.appending("components")
            if let items = components.array {
                let defaults = [details["defaults"], association.applinks?["defaults"]].compactMap { $0?.object }
                for (index, item) in items.enumerated() {
                    lintComponent(item, place.appending(index), defaults: defaults)
                }
                if items.isEmpty { add(.emptyRules(key: "components"), key: place) }
                let paths = pointer.appending("paths")
                if details["paths"] != nil, let missing = missingForOldSystems(details) {
                    add(.ignoredPaths(missing: missing), key: paths, fix: removal(ofPaths: paths))
                }
            } else {
                let found = components.typeName
                add(
                    .wrongType(
                        wanted: "an array of objects", found: found, effect: "iOS treats the entry as having no rules"),
                    place)
            }
        }
        if let paths = details["paths"] {
            let place = pointer.appending("paths")
            lintStrings(paths, "patterns", place, effect: "iOS treats the entry as having no rules")
            if paths.array?.isEmpty == true, details["components"]?.array == nil {
                add(.emptyRules(key: "paths"), key: place)
            }
        }
    }

    private func lintDefaults(_ value: JSONValue, _ pointer: JSONPointer) {
        guard let defaults = object(value, pointer, effect: "iOS ignores it") else { return }
        lintComponentKeys(defaults, pointer, ignored: nil)
        for key in ComponentKey.patterns where defaults[key] != nil {
            add(.patternInDefaults(key), key: pointer.appending(key))
        }
    }

    private func lintComponent(_ value: JSONValue, _ pointer: JSONPointer, defaults: [JSONObject]) {
        guard let component = object(value, pointer, effect: "the rule matches every URL") else { return }
        let hasPattern = ComponentKey.patterns.contains { key in
            component[key] != nil || defaults.contains { $0[key] != nil }
        }
        lintComponentKeys(component, pointer, ignored: hasPattern ? nil : IgnoredPattern.key(of: component))
    }

    /// - Parameter ignored: An unknown key that was meant as the pattern, if the object has no other pattern.
    private func lintComponentKeys(_ component: JSONObject, _ pointer: JSONPointer, ignored: String?) {
        if let ignored { lintIgnoredPattern(ignored, component, pointer) }
        lintKeys(component, ComponentKey.allCases.map(\.rawValue), in: .rule, pointer, except: ignored)
        for key in ComponentKey.allCases {
            guard let value = component[key.rawValue] else { continue }
            let place = pointer.appending(key.rawValue)
            switch key {
            case .path, .fragment:
                guard value.string == nil else { continue }
                wrongType("a string", value, place, effect: "iOS ignores it, so the rule matches more URLs")
            case .query: lintQuery(value, place)
            case .exclude, .caseSensitive, .percentEncoded:
                guard value.bool == nil else { continue }
                let meaning = LenientFlag.value(of: value) ?? false
                let effect = "iOS is reported to read it as \(meaning)"
                add(
                    .wrongType(wanted: "true or false", found: value.typeName, effect: effect), place,
                    fix: replacing(place, .bool(meaning), "Write \(meaning)", keepsOutcomes: true))
            case .comment:
                if value.string == nil { wrongType("a string", value, place, effect: "iOS ignores it") }
            }
        }
    }

    private func lintQuery(_ value: JSONValue, _ pointer: JSONPointer) {
        switch value {
        case .string: break
        case .object(let items):
            for item in items.members where item.value.string == nil {
                let effect = "iOS then ignores the whole query, so the rule matches more URLs"
                wrongType("a string", item.value, pointer.appending(item.name), effect: effect)
            }
        default:
            let effect = "iOS ignores it, so the rule matches more URLs"
            wrongType("a string or an object of strings", value, pointer, effect: effect)
        }
    }

    private func lintVariableTypes(_ value: JSONValue, _ pointer: JSONPointer) {
        guard let variables = object(value, pointer, effect: "no variable is defined") else { return }
        for variable in variables.members {
            let place = pointer.appending(variable.name)
            // "A plain string instead of an array is accepted as one value" [REP].
            if case .string = variable.value {
                let effect = "iOS is reported to read it as a single value"
                add(
                    .wrongType(wanted: "an array of values", found: variable.value.typeName, effect: effect), place,
                    fix: replacing(place, [variable.value], "Make it an array", keepsOutcomes: true))
            } else {
                lintStrings(variable.value, "values", place, effect: "iOS ignores the variable")
            }
        }
    }
}

extension Linter {
    /// Returns the value as an object. If it has another type, adds a finding and returns `nil`.
    private func object(_ value: JSONValue, _ pointer: JSONPointer, effect: String) -> JSONObject? {
        if case .object(let object) = value { return object }
        wrongType("an object", value, pointer, effect: effect)
        return nil
    }

    private func wrongType(_ wanted: String, _ value: JSONValue, _ pointer: JSONPointer, effect: String) {
        add(.wrongType(wanted: wanted, found: value.typeName, effect: effect), pointer)
    }

    /// Checks that a value is an array of strings.
    private func lintStrings(_ value: JSONValue, _ what: String, _ pointer: JSONPointer, effect: String) {
        guard let elements = value.array else {
            return wrongType("an array of \(what)", value, pointer, effect: effect)
        }
        for (index, element) in elements.enumerated() where element.string == nil {
            let place = pointer.appending(index)
            let effect = what == "patterns" ? "the rule matches every URL" : "iOS skips it"
            wrongType("a string", element, place, effect: effect)
        }
    }

    /// Reports unknown keys.
    private func lintKeys(
        _ object: JSONObject, _ known: [String], in kind: KeyPlace, _ pointer: JSONPointer, except told: String? = nil
    ) {
        for member in object.members where !known.contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
            if isTruncated { return }
            let name = member.name
            if name == told { continue }
            let place = pointer.appending(name)
            if KnownKeys.ofAppleAlone.contains(name) {
                add(.privateKey(name), key: place)
            } else if let meant = KnownKeys.meant(by: name, among: known.filter { object[$0] == nil }) {
                let problem =
                    kind.effect(ofMissing: meant, in: object).map {
                        FindingKind.misspelledSection(name, meant: meant, effect: $0)
                    } ?? .misspelledKey(name, meant: meant)
                add(problem, key: place, fix: renaming(place, to: meant))
            } else {
                let misplaced = MisplacedKeys.problem(name, member.value, in: kind, services: Association.services)
                add(misplaced ?? .unknownKey(name), key: place)
            }
        }
    }
}

/// Fixes for single values.
extension Linter {
    private func replacing(_ pointer: JSONPointer, _ value: JSONValue, _ title: String, keepsOutcomes: Bool) -> Fix? {
        source.replacement(of: pointer, with: value).map {
            Fix(title: title, keepsOutcomes: keepsOutcomes, edits: [$0])
        }
    }

    /// Renames a key to one that iOS knows.
    func renaming(_ pointer: JSONPointer, to name: String) -> Fix? {
        source.renaming(pointer, to: name).map {
            Fix(title: "Rename to \"\(name)\"", keepsOutcomes: false, edits: [$0])
        }
    }

    /// Whether iOS 9 to 12 read the entry's `paths`. They also need `"apps": []` and `appID`.
    func servesOldSystems(_ details: JSONObject) -> Bool { missingForOldSystems(details) == nil }

    /// The missing keys that iOS 9 to 12 need, in words.
    private func missingForOldSystems(_ details: JSONObject) -> String? {
        var missing: [String] = []
        if association.applinks?["apps"]?.array?.isEmpty != true { missing.append("\"apps\": []") }
        if details["appID"]?.string == nil { missing.append("\"appID\"") }
        return missing.isEmpty ? nil : missing.joined(separator: " and ")
    }

    /// Whether every app in a list has an entry.
    private func areInEntries(_ apps: JSONValue) -> Bool {
        let named = Set(entries.flatMap { $0.reading.apps.map { Array($0.normalized.utf8) } })
        return (apps.array ?? []).allSatisfy { app in
            app.string.map { named.contains(Array(EntryReading.App(text: $0, pointer: JSONPointer()).normalized.utf8)) }
                ?? false
        }
    }

    /// Removes `paths` that no system reads.
    private func removal(ofPaths pointer: JSONPointer) -> Fix? {
        guard pointer.parent.map({ !causes.lie(in: $0) }) ?? true else { return nil }
        return source.removal(of: pointer).map { Fix(title: "Remove \"paths\"", keepsOutcomes: true, edits: [$0]) }
    }

    /// Converts the legacy form to an array, in the order of the text. Waymark may read the legacy form in a different
    /// order.
    private func asArray(_ items: JSONObject, _ pointer: JSONPointer) -> Fix? {
        let names = items.members.map(\.name)
        let offsets = names.map { source.json.keyPosition(of: pointer.appending($0))?.offset ?? 0 }
        let isInOrder = zip(offsets, offsets.dropFirst()).allSatisfy(<)
        let isPlain = items.members.allSatisfy { member in
            member.value.object.map { $0["appIDs"] == nil && $0["appID"] == nil } ?? false
        }
        guard isPlain, source.json.duplicates.isEmpty, let edits = source.elements(ofMembers: names, of: pointer) else {
            return nil
        }
        return Fix(title: "Make it an array", keepsOutcomes: isInOrder, edits: edits)
    }
}
