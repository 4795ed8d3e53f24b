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

    @Test("no time is written in the words of a locale: formats are ISO 8601's")
    func locales() throws {
        let ofALocale = ["DateFormatter", "Date.FormatStyle", ".formatted(date:", ".formatted()", "Locale.current"]
        for file in try SourceTree.swiftFiles(under: "Sources") {
            #expect(file.places { line in ofALocale.contains { line.contains($0) } } == [])
        }
    }
}
