import Testing

@testable import Storage

@Suite("Zone names")
struct ZoneNamesTests {
    @Test("names are read once, again after an hour, and for an unknown name at most once a minute")
    func remembered() {
        let zones = ZoneNames()
        let start = ContinuousClock.now
        var there: Set<String> = ["Europe/Berlin", "Asia/Tokyo"]
        var reads = 0
        func known(_ names: [String], after seconds: Int) -> Set<String> {
            zones.known(of: names, now: start + .seconds(seconds)) {
                reads += 1
                return there
            }
        }
        #expect(known(["Europe/Berlin", "Mars/Olympus"], after: 0) == ["Europe/Berlin"])
        for second in 0..<60 { #expect(known(["Mars/Olympus", "Asia/Tokyo"], after: second) == ["Asia/Tokyo"]) }
        #expect(reads == 1)
        there.insert("Mars/Olympus")
        #expect(known(["Mars/Olympus"], after: 60) == ["Mars/Olympus"])
        #expect(known(["Mars/Olympus", "Europe/Berlin"], after: 3_600) == ["Mars/Olympus", "Europe/Berlin"])
        #expect(reads == 2)
        there.remove("Europe/Berlin")
        #expect(known(["Europe/Berlin"], after: 3_660) == [])
        #expect(reads == 3)
    }

    @Test("a failed read is not cached")
    func failed() {
        struct Away: Error {}
        let zones = ZoneNames()
        #expect(throws: Away.self) { try zones.known(of: ["UTC"]) { throw Away() } }
        #expect(zones.known(of: ["UTC"]) { ["UTC"] } == ["UTC"])
    }
}
