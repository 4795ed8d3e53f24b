internal import Glibc

/// Finds and compares hosts in the manifest's text.
extension Manifest {
    /// The entries of all hosts, sorted by the hosts' bytes. Each is read from the text when it is needed.
    public var entries: Entries { Entries(self) }

    /// The entry of a host in normal form, or `nil`. Takes logarithmic time.
    public func entry(of host: String) -> ManifestEntry? {
        let name = Array(host.utf8)
        let place = place(notBefore: name[...], from: hostLines.lowerBound)
        return isHost(name[...], at: place) ? entry(at: place) : nil
    }

    /// The position of the line of `host`. If the host has no line, the position of the next host's line or of the end
    /// of the lines.
    ///
    /// - Parameter start: The position of the line where the search starts.
    func place(notBefore host: ArraySlice<UInt8>, from start: Int) -> Int {
        var low = start
        var high = hostLines.upperBound
        while low < high {
            let middle = beginning(ofLineAt: low + (high - low) / 2)
            if name(at: middle).lexicographicallyPrecedes(host) { low = end(ofLineAt: middle) } else { high = middle }
        }
        return low
    }

    /// Returns true if the line at this position belongs to `host`.
    func isHost(_ host: ArraySlice<UInt8>, at place: Int) -> Bool {
        place < hostLines.upperBound && name(at: place) == host
    }

    /// The end of the line that contains this position, after its line feed.
    func end(ofLineAt place: Int) -> Int {
        bytes[place..<hostLines.upperBound].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? hostLines.upperBound
    }

    /// The entry in the line at this position.
    func entry(at place: Int) -> ManifestEntry? {
        var reader = ManifestReader(bytes, range: place..<hostLines.upperBound)
        return (try? reader.hostLine()).map { reader.entry($0) }
    }

    /// Calls `body` for every host whose line differs between the two manifests, sorted by the hosts' bytes. `body`
    /// gets the host's entries in `old` and in this manifest. An entry is `nil` if the manifest does not contain the
    /// host.
    ///
    /// Long equal parts are compared as whole blocks of memory.
    package func forEachDifference(from old: Manifest, _ body: (_ old: ManifestEntry?, _ new: ManifestEntry?) -> Void) {
        var before = old.hostLines.lowerBound
        var here = hostLines.lowerBound
        while before < old.hostLines.upperBound || here < hostLines.upperBound {
            let equal = equalLines(at: here, and: before, of: old)
            before += equal
            here += equal
            let isOld = before < old.hostLines.upperBound
            let isNew = here < hostLines.upperBound
            guard isOld || isNew else { return }
            let isRemoved = isOld && (!isNew || old.name(at: before).lexicographicallyPrecedes(name(at: here)))
            let isAdded = isNew && (!isOld || name(at: here).lexicographicallyPrecedes(old.name(at: before)))
            body(isAdded ? nil : old.entry(at: before), isRemoved ? nil : entry(at: here))
            if !isAdded { before = old.end(ofLineAt: before) }
            if !isRemoved { here = end(ofLineAt: here) }
        }
    }

    /// The length in bytes of the equal lines that start at these two positions.
    private func equalLines(at place: Int, and otherPlace: Int, of other: Manifest) -> Int {
        let maximum = min(hostLines.upperBound - place, other.hostLines.upperBound - otherPlace)
        let block = 4096
        let length = bytes.withUnsafeBytes { here in
            other.bytes.withUnsafeBytes { there in
                var length = 0
                while length + block <= maximum, let one = here.baseAddress, let two = there.baseAddress,
                    memcmp(one + place + length, two + otherPlace + length, block) == 0
                {
                    length += block
                }
                while length < maximum, here[place + length] == there[otherPlace + length] { length += 1 }
                return length
            }
        }
        return beginning(ofLineAt: place + length, notBefore: place) - place
    }

    private func name(at place: Int) -> ArraySlice<UInt8> {
        bytes[place..<hostLines.upperBound].prefix { $0 != UInt8(ascii: " ") }
    }

    private func beginning(ofLineAt place: Int, notBefore first: Int? = nil) -> Int {
        let first = first ?? hostLines.lowerBound
        return bytes[first..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? first
    }

    /// The entries of a manifest.
    public struct Entries: Sequence, IteratorProtocol {
        private var reader: ManifestReader

        init(_ manifest: Manifest) {
            reader = ManifestReader(manifest.bytes, range: manifest.hostLines)
        }

        /// The next host's entry.
        public mutating func next() -> ManifestEntry? {
            guard reader.remaining > 0, let line = try? reader.hostLine() else { return nil }
            return reader.entry(line)
        }
    }
}
