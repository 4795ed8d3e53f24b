import AASA
import FoundationEssentials
import Storage
import Testing

/// A fact about a host, and the words in which it becomes a reason.
private struct Fact: Sendable, CustomTestStringConvertible {
    let name: String
    let reason: String
    let set: @Sendable (inout DomainStanding) -> Void
    var testDescription: String { name }

    func on(_ host: Host) -> DomainStanding {
        var standing = DomainStanding(host)
        set(&standing)
        return standing
    }
}

private let due = Date(timeIntervalSince1970: 2_000_000_000)
private let facts = [
    Fact(name: "live", reason: "is live") { $0.isLive = true },
    Fact(name: "withdrawn", reason: "has been withdrawn") { $0.isWithdrawn = true },
    Fact(name: "being withdrawn", reason: "is being withdrawn") { $0.withdrawalDueAt = due },
    Fact(name: "frozen", reason: "is frozen") { $0.isFrozen = true },
    Fact(name: "labelled", reason: "uses the label nightly of") { $0.decidingLabels = ["nightly"] },
    Fact(name: "due", reason: "the release 1 will publish on") { $0.pending = ["the release 1"] },
]

/// The whole table of roles that may change a domain.
@Suite("Changes of a domain")
struct DomainChangeTests {
    private let host = Result { try Host("b.example") }
    private let other = Result { try Host("a.example") }

    private func needed(_ change: DomainChange) -> Role? {
        if case .allowed(let role, let reasons) = change.decision {
            #expect(reasons.isEmpty == (role == .editor), "a reason is given with every role above editor")
            return role
        }
        return nil
    }

    private func reasons(_ change: DomainChange) -> [String] {
        if case .allowed(_, let reasons) = change.decision { reasons } else { [] }
    }

    @Test("an editor may join, leave, label and delete if no publisher has decided anything")
    func plain() throws {
        let (host, other) = (try DomainStanding(host.get()), try DomainStanding(other.get()))
        for change in [
            DomainChange(of: host), DomainChange(of: host, joining: other), DomainChange(of: host, leaving: other),
            DomainChange(of: host, leaving: other, joining: other), DomainChange(of: host, isDeletion: true),
            DomainChange(of: host, isDeletion: true, leaving: other),
        ] { #expect(needed(change) == .editor) }
    }

    @Test(
        "a change needs a publisher if one has decided about either target of the alias",
        arguments: facts)
    private func targets(_ fact: Fact) throws {
        let (host, other) = (try DomainStanding(host.get()), fact.on(try other.get()))
        for change in [
            DomainChange(of: host, joining: other), DomainChange(of: host, leaving: other),
            DomainChange(of: host, isDeletion: true, leaving: other),
        ] {
            #expect(needed(change) == .publisher)
            #expect(reasons(change).count == 1 && reasons(change)[0].contains(fact.reason))
        }
        #expect(needed(DomainChange(of: other)) == .editor, "nothing of its file changes")
    }

    @Test(
        "a decision about the host itself needs a publisher or an administrator, or forbids the change",
        arguments: facts)
    private func own(_ fact: Fact) throws {
        let (host, other) = (fact.on(try host.get()), try DomainStanding(other.get()))
        let (joining, leaving) = (DomainChange(of: host, joining: other), DomainChange(of: host, leaving: other))
        switch fact.name {
        case "live":
            for change in [joining, leaving] { #expect(change.decision == .refused(.isServed)) }
        case "being withdrawn":
            for change in [joining, leaving] { #expect(change.decision == .refused(.beingWithdrawn(at: due))) }
        case "due":
            for change in [joining, leaving] {
                #expect(change.decision == .refused(.wouldStop(["the release 1"])))
            }
        case "withdrawn":
            #expect(needed(joining) == .admin)
            #expect(needed(leaving) == .publisher)
        default:
            for change in [joining, leaving] {
                #expect(needed(change) == .publisher)
                #expect(reasons(change).count == 1 && reasons(change)[0].contains(fact.reason))
            }
        }
    }

    @Test("only an administrator may make a withdrawn host an alias")
    func withdrawn() throws {
        for fact in facts {
            var host = DomainStanding(try host.get())
            host.isWithdrawn = true
            let change = DomainChange(of: host, leaving: fact.on(try other.get()), joining: fact.on(try other.get()))
            #expect(needed(change) == .admin)
        }
    }

    @Test("labels that a schedule or a freeze uses need a publisher, and other labels an editor")
    func labels() throws {
        let change = DomainChange(of: try DomainStanding(host.get()), labels: ["nightly"])
        #expect(needed(change) == .publisher)
        #expect(reasons(change) == ["a schedule or a freeze uses the label nightly"])
    }

    @Test("deleting a domain that is verified, or has such a label, needs a publisher")
    func deletion() throws {
        var host = DomainStanding(try host.get())
        host.isVerified = true
        #expect(needed(DomainChange(of: host)) == .editor, "a verified domain is changed by an editor")
        #expect(needed(DomainChange(of: host, isDeletion: true)) == .publisher)
        host.isVerified = false
        #expect(needed(DomainChange(of: host, isDeletion: true, labels: ["nightly"])) == .publisher)
        host.isFrozen = true
        #expect(
            needed(DomainChange(of: host, isDeletion: true)) == .editor,
            "a freeze of all domains covers one that is added again")
    }
}
