import Testing

@Suite("Clocks")
struct ClockTests {
    @Test("storage and publishing read only the database's clock")
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

    @Test("times are formatted as in ISO 8601, never by a locale")
    func locales() throws {
        let ofALocale = ["DateFormatter", "Date.FormatStyle", ".formatted(date:", ".formatted()", "Locale.current"]
        for file in try SourceTree.swiftFiles(under: "Sources") {
            #expect(file.places { line in ofALocale.contains { line.contains($0) } } == [])
        }
    }
}
