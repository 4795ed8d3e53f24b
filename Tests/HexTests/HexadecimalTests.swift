import Hex
import Testing

@Suite("Hexadecimal")
struct HexadecimalTests {
    @Test("bytes become lower-case digits, two for each byte")
    func encoding() {
        #expect(Hexadecimal.encode([0x00, 0x0F, 0xA0, 0xFF]) == "000fa0ff")
        #expect(Hexadecimal.encode([]) == "")
        #expect(Hexadecimal.digits(of: [0x0A]) == Array("0a".utf8))
    }

    @Test("every byte survives the way to digits and back")
    func roundTrip() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Hexadecimal.decode(Hexadecimal.digits(of: bytes)) == bytes)
    }

    @Test("only an even number of lower-case digits is decoded", arguments: ["0", "0A", "0g", " 0", "0x00", "é"])
    func refusal(text: String) {
        #expect(Hexadecimal.decode(text.utf8) == nil)
    }
}
