import ContentCoding
import Synchronization

/// The encoded forms of a file. Each is made when the first client requests it, and then kept.
final class EncodedForms: Sendable {
    private let forms = Mutex<[Coding: [UInt8]?]>([:])

    /// The form of `bytes`, which must be the same in each call. `nil` if it would not be shorter.
    func form(_ coding: Coding, of bytes: [UInt8]) -> [UInt8]? {
        forms.withLock { forms in
            if let known = forms[coding] { return known }
            let form =
                switch coding {
                case .brotli: BrotliEncoder.encode(bytes)
                case .gzip: GzipEncoder().encode(bytes)
                }
            forms[coding] = .some(form)
            return form
        }
    }
}
