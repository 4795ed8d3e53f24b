import ContentCoding
import Synchronization

/// Caches the encoded forms of a file. Each form is created at its first request.
final class EncodedForms: Sendable {
    private let forms = Mutex<[Coding: [UInt8]?]>([:])

    /// Returns the encoded form of `bytes`, or `nil` if it would not be shorter. Each call must pass the same bytes.
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
