import AASA
import Testing

@Suite struct CorpusTests {
    @Test("all files are read, except those that are signed or not JSON", Corpus.condition)
    func whole() throws {
        let files = try Corpus.files()
        var refused: [String: Int] = [:]
        for file in files {
            do { _ = try Association(parsing: file.bytes) } catch { refused[error.code, default: 0] += 1 }
        }
        #expect(files.count == 120)
        #expect(refused == ["invalid_json": 31, "signed_file": 2])
        #expect(try Corpus.associations().count == 87)
    }
}
