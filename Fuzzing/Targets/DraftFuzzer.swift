import AASA
import StrictJSON

/// Any file: it can be imported into a draft, and the file that is generated back can be parsed, is equal to itself, and
/// decides as the first one did.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let association = try? Association(parsing: input) else { return 0 }
    precondition((try? Association(parsing: association.bytes)) == association)
    precondition((try? Association(parsing: association.bytes(.pretty))) == association)
    var number = 0
    let (draft, _) = Draft.importing(association) {
        number += 1
        return "\(number)"
    }
    let generated = draft.association()
    precondition((try? Association(parsing: generated.bytes)) == generated)
    // What is no app ID is not taken over, so that its rules are lost with it.
    guard association.appIDs.allSatisfy({ (try? AppID($0)) != nil }) else { return 0 }
    for url in ["/", "/a", "/a/b?a=b#c"] {
        let (before, after) = (association.evaluate(url), generated.evaluate(url))
        precondition(before.outcome == after.outcome && before.app == after.app)
    }
    return 0
}
