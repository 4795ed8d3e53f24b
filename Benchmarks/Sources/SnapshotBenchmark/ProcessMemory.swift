import Glibc

/// The memory of this process, as reported by Linux.
enum ProcessMemory {
    /// The current resident memory in bytes.
    static var resident: Int { kilobytes("VmRSS:") * 1024 }
    /// The maximum resident memory since `resetPeak`, in bytes.
    static var peak: Int { kilobytes("VmHWM:") * 1024 }

    /// Starts a new measurement of the peak.
    static func resetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    private static func kilobytes(_ name: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            if fields.count > 1, fields[0] == name { return Int(fields[1]) ?? 0 }
        }
        return 0
    }
}
