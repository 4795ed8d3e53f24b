import Testing

@testable import StrictJSON

@Suite("Control characters")
struct ControlCharacterTests {
    @Test(
        "control characters, line separators and characters that change the text direction are found",
        arguments: [
            0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
        ] as [ClosedRange<UInt32>])
    func found(range: ClosedRange<UInt32>) throws {
        for value in range {
            let scalar = try #require(Unicode.Scalar(value))
            let control = try #require(ControlCharacter(in: "aé\(scalar)b"))
            #expect((control.scalar, control.position) == (scalar, 3))
            #expect(ControlCharacter(in: "a\(scalar)", besides: [scalar]) == nil)
        }
    }

    @Test(
        "text in any script has no control character",
        arguments: ["", "a b", "é", "e\u{301}", "العربية", "עברית", "👨‍👩‍👧", "नमस्ते", "\u{A0}"])
    func text(text: String) {
        #expect(ControlCharacter(in: text) == nil)
    }

    @Test("the fault names the character and its position")
    func fault() {
        let faults = #expect(throws: JSONFaults.self) {
            try JSONShape<String>.plainText(max: 9, besides: ["\n"]).decode("a\n\u{202E}b")
        }
        #expect(faults?.faults.map(\.code) == ["control_character"])
        #expect(faults?.faults.first?.detail == "contains the control character U+202E (character 3); remove it")
    }
}
