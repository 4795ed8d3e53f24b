import StrictJSON

/// Bytes that can be parsed must be written so that they parse to the same value again. Every error must have a
/// position in the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    for options in [JSONOptions.strict, .lenient] {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: input, limits: JSONLimits(), options: options)
            for style in [JSONStyle.compact, .pretty] {
                let again = try? JSONDocument(parsing: document.root.bytes(style), limits: room, options: options)
                precondition(again?.root == document.root)
            }
        } catch {
            precondition(error.position.offset >= 0 && error.position.offset <= count)
            precondition(error.position.line >= 1 && error.position.column >= 1)
        }
    }
    return 0
}

/// White space and escapes can make the written text longer than the original.
private let room = JSONLimits(bytes: 1 << 24, depth: 32, numberLength: 64, stringLength: 1 << 24)
