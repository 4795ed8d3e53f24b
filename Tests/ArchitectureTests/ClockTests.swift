import Testing

@Suite("Clocks")
struct ClockTests {
    @Test("what is due, leased or over is told by the database's clock: storage and publishing read no other")
    func databaseClock() throws {
        let readings = ["Date()", "Date.now", "timeIntervalSinceNow", "gettimeofday", "clock_gettime", "time(nil)"]
        for target in ["Storage", "Publishing"] {
            let files = try SourceTree.swiftFiles(under: "Sources/\(target)")
            #expect(!files.isEmpty)
            for file in files {
                #expect(file.places { line in readings.contains { line.contains($0) } } == [])
            }
        }
    }
}
