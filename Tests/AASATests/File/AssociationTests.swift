import AASA
import StrictJSON
import Testing

@Suite struct AssociationTests {
    @Test("the bytes have known keys in a fixed order and all others by their bytes, at every level")
    func canonicalOrder() throws {
        let file = """
            {"z":1,"webcredentials":{"apps":[]},"applinks":{"zz":{"b":1,"a":2},"details":[{"x":0,"components":[
            {"comment":"c","exclude":true,"#":"f","?":{"b":"1","a":"2"},"/":"/p","odd":0}],"appIDs":["ABCDE12345.a"]}],
            "substitutionVariables":{"b":["2","1"],"a":[]},"apps":[]},"a":{"y":1,"x":2}}
            """
        let expected =
            #"{"applinks":{"apps":[],"substitutionVariables":{"a":[],"b":["2","1"]},"details":[{"appIDs":["ABCDE12345.a"],"#
            + ##""components":[{"/":"/p","?":{"a":"2","b":"1"},"#":"f","exclude":true,"comment":"c","odd":0}],"x":0}],"##
            + #""zz":{"a":2,"b":1}},"webcredentials":{"apps":[]},"a":{"x":2,"y":1},"z":1}"#
        let association = try Association(parsing: Array(file.utf8))
        #expect(String(decoding: association.bytes, as: UTF8.self) == expected)
        #expect(try Association(parsing: association.bytes(.pretty)) == association)
    }

    @Test("two files that say the same in another order make equal associations")
    func equality() throws {
        let one = try Association(parsing: Array(#"{"applinks":{"details":[],"apps":[]},"x":1}"#.utf8))
        let other = try Association(parsing: Array(#"{ "x":1, "applinks":{"apps":[],"details":[]} }"#.utf8))
        let third = try Association(parsing: Array(#"{"x":2,"applinks":{"apps":[],"details":[]}}"#.utf8))
        #expect(one == other)
        #expect(one != third)
    }

    @Test(
        "what is no file at all is refused, and named",
        arguments: [
            (Array("{".utf8), "invalid_json"), ([], "invalid_json"), (Array("<!doctype html>".utf8), "invalid_json"),
            (Array("[]".utf8), "root_not_object"), (Array("\"x\"".utf8), "root_not_object"),
            (
                [0x30, 0x82, 0x0D, 0xB1, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0],
                "signed_file"
            ),
            ([0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02], "signed_file"),
            (Array("-----BEGIN PKCS7-----".utf8), "signed_file"), ([0xFF, 0xFE, 0x7B, 0x00], "other_encoding"),
            ([0x7B, 0x00, 0x7D, 0x00], "other_encoding"), ([0x00, 0x7B, 0x00, 0x7D], "other_encoding"),
            ([0xFF, 0xFE, 0x00, 0x00], "other_encoding"), ([0x7B, 0x00, 0x00, 0x00], "other_encoding"),
        ] as [([UInt8], String)])
    func refused(bytes: [UInt8], code: String) throws {
        let error = try #require(throws: AssociationError.self) { try Association(parsing: bytes) }
        #expect(error.code == code)
        #expect(!error.detail.isEmpty)
    }

    @Test("a byte order mark, repeated keys and \\u0000 do not keep a file from being read")
    func tolerated() throws {
        let file = "\u{FEFF}{\"applinks\":{\"details\":[]},\"applinks\":1,\"x\":\"\\u0000\"}"
        let association = try Association(parsing: Array(file.utf8))
        #expect(association.root["applinks"] == ["details": []])
        #expect(association.root["x"] == "\u{0}")
    }

    @Test("every valid file of the corpus gives an equal association when its bytes are parsed", Corpus.condition)
    func corpusRoundTrip() throws {
        var count = 0
        for file in try Corpus.files() {
            guard let association = try? Association(parsing: file.bytes) else { continue }
            count += 1
            #expect(try Association(parsing: association.bytes) == association, "\(file.name)")
            #expect(try Association(parsing: association.bytes(.pretty)).bytes == association.bytes, "\(file.name)")
        }
        #expect(count > 80)
    }
}
