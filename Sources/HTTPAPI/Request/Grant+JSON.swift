import Storage
import StrictJSON

extension JSONObjectReader {
    /// Reads `role` and `labels` of a new grant.
    func grant() -> Grant? {
        let role = required("role", .choice(of: Role.self))
        let labels = optional("labels", .labels, default: [])
        return role.flatMap { possible(Grant($0, labels: labels)) }
    }

    /// Reads changes of `role` and `labels`. What is absent stays as it is.
    func grant(replacing old: Grant) -> Grant? {
        let role = replacement("role", .choice(of: Role.self))
        let labels = replacement("labels", .labels)
        return possible(Grant(role ?? old.role, labels: labels ?? old.labels))
    }

    private func possible(_ grant: Grant) -> Grant? {
        guard !grant.isPossible else { return grant }
        let roles = Grant.limitableRoles.map(\.rawValue).joined(separator: " and ")
        fault(
            "labels", "role_cannot_be_limited",
            "only the roles \(roles) can be limited to labels; send an empty list for the role \(grant.role)")
        return nil
    }
}

extension Grant {
    /// The labels as JSON.
    var labelsJSON: JSONValue { .array(labels.map(JSONValue.string)) }
}
