import Testing

@testable import Serving
@testable import Snapshot

@Suite("Live table", .timeLimit(.minutes(1)))
struct LiveTableTests {
    @Test("event loops without requests release the previous table")
    func released() async throws {
        let live = LiveTable()
        try await withEdge(live) { edge in
            weak var first: ServingTable?
            do {
                let table = try table(["www.example": file(1)])
                first = table
                live.replace(with: table)
            }
            // Enough connections for every loop to have seen the first table.
            for _ in 0..<64 { _ = try await edge.get() }
            live.replace(with: try table(["www.example": file(2)]))
            for _ in 0..<1000 where first != nil { try await Task.sleep(for: .milliseconds(5)) }
            #expect(first == nil)
        }
    }
}
