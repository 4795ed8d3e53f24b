@testable import AASA
@testable import StrictJSON

/// Imports any file into a draft and generates a file from the draft. The generated file must parse to the same
/// association, and must give the same verdicts for every app that it contains. The import report must list all other
/// apps.
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

/// Whether the report has an item other than `kept` at one of the places of the app's ID.
private func isReported(_ app: String, of association: Association, _ report: ImportReport) -> Bool {
    let places = association.entries(os: .latest).flatMap(\.apps)
        .filter { $0.normalized.hasSameBytes(as: app) }.map(\.pointer)
    return report.items.contains { $0.action != .kept && places.contains($0.pointer) }
}
