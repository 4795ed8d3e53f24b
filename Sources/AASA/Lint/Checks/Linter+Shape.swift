import StrictJSON

/// Types and keys: everything is of the type that Apple documents, and every key is one that Apple's systems know.
extension Linter {
    func lintShape() {
        let root = JSONPointer()
        var hasService = false
        for member in association.root.members {
            // No more findings are kept, and comparing names costs more than reading them.
            if isTruncated { hasService = hasService || Association.services.contains(member.name) }
            guard !isTruncated else { continue }
            let pointer = root.appending(member.name)
            // A service is there for its apps, and `applinks` alone has `details`.
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
                // A service that this list does not have: Apple may.
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

    /// Beside the service itself, a misspelled one may be a leftover.
    private func lintMisspelledService(_ name: String, _ meant: String, _ pointer: JSONPointer) {
        guard association.root[meant] == nil else { return add(.misspelledKey(name, meant: meant), key: pointer) }
        let effect = meant == "applinks" ? "no app opens a link of this domain" : "the service has no effect"
        add(.misspelledSection(name, meant: meant, effect: effect), key: pointer, fix: renaming(pointer, to: meant))
    }

    private func lintService(_ name: String, _ value: JSONValue, _ pointer: JSONPointer) {
        guard let object = object(value, pointer, effect: "the whole service is ignored") else { return }
        guard name != "applinks" else { return lintApplinks(object, pointer) }
        lintKeys(object, ["apps"], in: .service, pointer)
        if let apps = object["apps"] {
            lintStrings(apps, "app IDs", pointer.appending("apps"), effect: "the service has no app")
        }
        if object["apps"].map({ $0.array?.isEmpty == true }) ?? true, !causes.lie(in: pointer) {
            add(.emptyService(name), key: pointer)
        }
    }

    private func lintApplinks(_ applinks: JSONObject, _ pointer: JSONPointer) {
        lintKeys(applinks, ["apps", "details", "defaults", "substitutionVariables"], in: .applinks, pointer)
        if let apps = applinks["apps"] {
            lintStrings(apps, "app IDs", pointer.appending("apps"), effect: "it is ignored")
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
        guard let details = object(value, pointer, effect: "the entry is ignored") else { return }
        let apps = isLegacy ? [] : ["appIDs", "appID"]
        lintKeys(details, apps + ["components", "paths", "defaults"], in: .entry, pointer)
        if let ids = details["appIDs"] {
            lintStrings(
                ids, "app IDs", pointer.appending("appIDs"), effect: "\"appID\" is used instead, if there is one")
        }
        if let id = details["appID"], id.string == nil {
            add(
                .wrongType(wanted: "a string with one app ID", found: id.typeName, effect: "it is ignored"),
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
                        wanted: "an array of objects", found: found, effect: "the entry counts as without rules"),
                    place)
            }
        }
        if let paths = details["paths"] {
            let place = pointer.appending("paths")
            lintStrings(paths, "patterns", place, effect: "the entry counts as without rules")
            if paths.array?.isEmpty == true, details["components"]?.array == nil {
                add(.emptyRules(key: "paths"), key: place)
            }
        }
    }

    private func lintDefaults(_ value: JSONValue, _ pointer: JSONPointer) {
        guard let defaults = object(value, pointer, effect: "it is ignored") else { return }
        lintComponentKeys(defaults, pointer, ignored: nil)
        for key in ComponentKey.patterns where defaults[key] != nil {
            add(.patternInDefaults(key), key: pointer.appending(key))
        }
    }

    private func lintComponent(_ value: JSONValue, _ pointer: JSONPointer, defaults: [JSONObject]) {
        guard let component = object(value, pointer, effect: "it matches every URL") else { return }
        let hasPattern = ComponentKey.patterns.contains { key in
            component[key] != nil || defaults.contains { $0[key] != nil }
        }
        lintComponentKeys(component, pointer, ignored: hasPattern ? nil : IgnoredPattern.key(of: component))
    }

    /// - Parameter ignored: A key in which a pattern was meant that the object now has nowhere.
    private func lintComponentKeys(_ component: JSONObject, _ pointer: JSONPointer, ignored: String?) {
        if let ignored { lintIgnoredPattern(ignored, component, pointer) }
        lintKeys(component, ComponentKey.allCases.map(\.rawValue), in: .rule, pointer, except: ignored)
        for key in ComponentKey.allCases {
            guard let value = component[key.rawValue] else { continue }
            let place = pointer.appending(key.rawValue)
            switch key {
            case .path, .fragment:
                if value.string == nil { wrongType("a string", value, place, effect: "it constrains nothing") }
            case .query: lintQuery(value, place)
            case .exclude, .caseSensitive, .percentEncoded:
                guard value.bool == nil else { continue }
                let meaning = LenientFlag.value(of: value) ?? false
                let effect = "Apple's systems are reported to read \(meaning)"
                add(
                    .wrongType(wanted: "true or false", found: value.typeName, effect: effect), place,
                    fix: replacing(place, .bool(meaning), "Write \(meaning)", keepsOutcomes: true))
            case .comment:
                if value.string == nil { wrongType("a string", value, place, effect: "it is ignored") }
            }
        }
    }

    private func lintQuery(_ value: JSONValue, _ pointer: JSONPointer) {
        switch value {
        case .string: break
        case .object(let items):
            for item in items.members where item.value.string == nil {
                let effect = "the whole query constrains nothing then"
                wrongType("a string", item.value, pointer.appending(item.name), effect: effect)
            }
        default: wrongType("a string or an object of strings", value, pointer, effect: "it constrains nothing")
        }
    }

    private func lintVariableTypes(_ value: JSONValue, _ pointer: JSONPointer) {
        guard let variables = object(value, pointer, effect: "no variable is defined") else { return }
        for variable in variables.members {
            let place = pointer.appending(variable.name)
            // "A plain string instead of an array is accepted as one value" [REP].
            if case .string = variable.value {
                let effect = "Apple's systems are reported to take it as the one value"
                add(
                    .wrongType(wanted: "an array of values", found: variable.value.typeName, effect: effect), place,
                    fix: replacing(place, [variable.value], "Make it an array", keepsOutcomes: true))
            } else {
                lintStrings(variable.value, "values", place, effect: "its values are not what they seem")
            }
        }
    }
}

extension Linter {
    /// The value as an object; if it is none, a finding says so.
    private func object(_ value: JSONValue, _ pointer: JSONPointer, effect: String) -> JSONObject? {
        if case .object(let object) = value { return object }
        wrongType("an object", value, pointer, effect: effect)
        return nil
    }

    private func wrongType(_ wanted: String, _ value: JSONValue, _ pointer: JSONPointer, effect: String) {
        add(.wrongType(wanted: wanted, found: value.typeName, effect: effect), pointer)
    }

    /// An array of strings.
    private func lintStrings(_ value: JSONValue, _ what: String, _ pointer: JSONPointer, effect: String) {
        guard let elements = value.array else {
            return wrongType("an array of \(what)", value, pointer, effect: effect)
        }
        for (index, element) in elements.enumerated() where element.string == nil {
            let place = pointer.appending(index)
            wrongType("a string", element, place, effect: what == "patterns" ? "it matches every URL" : "it is skipped")
        }
    }

    /// Keys that Apple's systems do not know.
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

/// Fixes of single values.
extension Linter {
    private func replacing(_ pointer: JSONPointer, _ value: JSONValue, _ title: String, keepsOutcomes: Bool) -> Fix? {
        source.replacement(of: pointer, with: value).map {
            Fix(title: title, keepsOutcomes: keepsOutcomes, edits: [$0])
        }
    }

    /// A key that was ignored counts from then on.
    func renaming(_ pointer: JSONPointer, to name: String) -> Fix? {
        source.renaming(pointer, to: name).map {
            Fix(title: "Write \"\(name)\"", keepsOutcomes: false, edits: [$0])
        }
    }

    /// Whether iOS 9 to 12 read the entry's `paths`: they need `"apps": []`, and `appID`.
    func servesOldSystems(_ details: JSONObject) -> Bool { missingForOldSystems(details) == nil }

    /// What of that is not there, in words.
    private func missingForOldSystems(_ details: JSONObject) -> String? {
        var missing: [String] = []
        if association.applinks?["apps"]?.array?.isEmpty != true { missing.append("\"apps\": []") }
        if details["appID"]?.string == nil { missing.append("\"appID\"") }
        return missing.isEmpty ? nil : missing.joined(separator: " and ")
    }

    /// Whether every app of a list has an entry.
    private func areInEntries(_ apps: JSONValue) -> Bool {
        let named = Set(entries.flatMap { $0.reading.apps.map { Array($0.normalized.utf8) } })
        return (apps.array ?? []).allSatisfy { app in
            app.string.map { named.contains(Array(EntryReading.App(text: $0, pointer: JSONPointer()).normalized.utf8)) }
                ?? false
        }
    }

    /// `paths` that no system reads.
    private func removal(ofPaths pointer: JSONPointer) -> Fix? {
        guard pointer.parent.map({ !causes.lie(in: $0) }) ?? true else { return nil }
        return source.removal(of: pointer).map { Fix(title: "Remove \"paths\"", keepsOutcomes: true, edits: [$0]) }
    }

    /// The legacy form as an array, in the order of the text, which may be another than that in which it is read here.
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
