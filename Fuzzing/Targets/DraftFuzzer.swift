@testable import AASA
@testable import StrictJSON

/// Any file: it can be imported into a draft, and the file that is generated back can be parsed, is equal to itself, and
/// decides as the first one did for every app that it still names. An app that it does not name stands in the report.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let association = try? Association(parsing: input) else { return 0 }
    precondition((try? Association(parsing: association.bytes)) == association)
    precondition((try? Association(parsing: association.bytes(.pretty))) == association)
    var number = 0
    let (draft, report) = Draft.importing(association) {
        number += 1
        return "\(number)"
    }
    let generated = draft.association()
    precondition((try? Association(parsing: generated.bytes)) == generated)
    let (before, after) = (CompiledAssociation(association), CompiledAssociation(generated))
    for url in ["/", "/a", "/a/b?a=b#c"] {
        let verdicts = after.evaluate(url).apps
        for verdict in before.evaluate(url).apps {
            if let same = verdicts.first(where: { $0.app.hasSameBytes(as: verdict.app) }) {
                precondition(same.outcome == verdict.outcome)
            } else {
                precondition(isReported(verdict.app, of: association, report))
            }
        }
    }
    return 0
}

/// Whether the report says at a place where the app's ID stands that it is not in the draft as it was.
private func isReported(_ app: String, of association: Association, _ report: ImportReport) -> Bool {
    let places = association.entries(os: .latest).flatMap(\.apps)
        .filter { $0.normalized.hasSameBytes(as: app) }.map(\.pointer)
    return report.items.contains { $0.action != .kept && places.contains($0.pointer) }
}
