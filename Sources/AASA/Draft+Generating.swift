import StrictJSON

extension Draft {
    /// The association that the draft makes: the same for the same draft, on every machine and run.
    public func association() -> Association {
        var root = extras
        for service in services {
            root[service.name] = ["apps": .array(service.values.map { .string($0) })]
        }
        let applinks = applinks
        root["applinks"] = applinks.isEmpty ? nil : .object(applinks)
        return Association(root: root)
    }

    private var applinks: JSONObject {
        var object = extras["applinks"]?.object ?? JSONObject()
        object["defaults"] = component(defaults)
        if !substitutionVariables.isEmpty {
            object["substitutionVariables"] = .object(Self.object(substitutionVariables))
        }
        if !entries.isEmpty { object["details"] = .array(entries.map { .object(details($0)) }) }
        return object
    }

    private func details(_ entry: Entry) -> JSONObject {
        var object = entry.extras
        object["appIDs"] = .array(entry.apps.map { .string($0) })
        object["defaults"] = component(entry.defaults)
        object["components"] = entry.rules.map { rules in
            .array(rules.map { .object($0.fields.component(withComment: publishComments)) })
        }
        return object
    }

    /// Defaults as the file has them; nil if they say nothing.
    private func component(_ fields: RuleFields) -> JSONValue? {
        let object = fields.component(withComment: publishComments)
        return object.isEmpty ? nil : .object(object)
    }
}
