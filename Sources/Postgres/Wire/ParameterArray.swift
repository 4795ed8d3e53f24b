/// Parameters in libpq's form: arrays of types, pointers, lengths and formats. Each connection has one instance and
/// reuses its memory.
struct ParameterArray {
    /// Memory above this size is freed after use, so that a single large value does not occupy it forever.
    private static let keptCapacity = 64 * 1024

    private var storage: [UInt8] = []
    private var offsets: [Int] = []
    private var types: [UInt32] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    typealias Pointers = (
        count: Int32, types: UnsafePointer<UInt32>?, values: UnsafePointer<UnsafePointer<CChar>?>?,
        lengths: UnsafePointer<Int32>?, formats: UnsafePointer<Int32>?
    )

    /// Calls `body` with the parameters. The pointers are valid only during the call.
    ///
    /// - Throws: `.encoding` if a value is too long for libpq.
    mutating func withPointers<Result>(
        _ parameters: [PostgresParameter], _ body: (Pointers) -> Result
    ) throws(PostgresError) -> Result {
        guard !parameters.isEmpty else { return body((0, nil, nil, nil, nil)) }
        clear()
        for parameter in parameters {
            let start = storage.count
            types.append(parameter.type.rawValue)
            switch parameter.encoding {
            case .null: offsets.append(-1)
            case .text(let text):
                offsets.append(start)
                storage.append(contentsOf: text.utf8)
            case .binary(let bytes):
                offsets.append(start)
                storage.append(contentsOf: bytes)
            }
            guard let length = Int32(exactly: storage.count - start) else {
                throw PostgresError(.encoding, "a parameter is longer than 2 GiB")
            }
            lengths.append(length)
            if case .binary = parameter.encoding { formats.append(1) } else { formats.append(0) }
            storage.append(0)
        }
        return storage.withUnsafeBytes { bytes in
            for offset in offsets {
                pointers.append(
                    offset < 0 ? nil : bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self))
            }
            return pointers.withUnsafeBufferPointer { pointers in
                types.withUnsafeBufferPointer { types in
                    lengths.withUnsafeBufferPointer { lengths in
                        formats.withUnsafeBufferPointer { formats in
                            body(
                                (
                                    Int32(parameters.count), types.baseAddress, pointers.baseAddress,
                                    lengths.baseAddress, formats.baseAddress
                                ))
                        }
                    }
                }
            }
        }
    }

    private mutating func clear() {
        storage.removeAll(keepingCapacity: storage.capacity <= Self.keptCapacity)
        offsets.removeAll(keepingCapacity: true)
        types.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
        pointers.removeAll(keepingCapacity: true)
    }
}
