import PasswordHashing
import Testing

@Suite("Rules for passwords")
struct PasswordRulesTests {
    private let names = ["ada.lovelace@example.com", "Ada Lovelace"]

    @Test("fewer than 12 characters are refused, counted as people count them")
    func short() {
        #expect(PasswordRules.fault(in: "", names: []) == .tooShort(0))
        #expect(PasswordRules.fault(in: "vk2lq9xw7fz", names: []) == .tooShort(11))
        #expect(PasswordRules.fault(in: String(repeating: "👩‍👩‍👧", count: 11), names: []) == .tooShort(11))
        #expect(PasswordRules.fault(in: "vk2lq9xw7fzr", names: []) == nil)
    }

    @Test(
        "passwords that guessing programs try first are refused",
        arguments: [
            "password1234", "Password123!", "P@ssw0rd1234", "7391846205172", "passwordpassword", "qwertyuiop123",
            "QwErTyUiOp12!",
            "1234567890123", "0987654321098", "abcdefghijkl", "iloveyou2026", "letmein123456", "welcome2026!!",
            "Summer2026!!", "Waymark123456", "waymarkwaymark", "universallink1", "administrator1", "changeme12345",
            "asdfghjkl123", "zxcvbnm12345", "qazwsxedcrfv", "monkey dragon", "sunshine-football",
            "1q2w3e4r5t6y", "1a2b3c4d5e6f", "thisismypassword", "supersecret1", "iloveyousomuch", "jesusislord1",
            "manchesterunited",
            "harrypotter1", "michaeljackson", "cristianoronaldo", "christopher1", "strawberry12", "minecraft123",
        ])
    func common(password: String) {
        #expect(PasswordRules.fault(in: password, names: []) == .common)
    }

    @Test(
        "few different characters are refused",
        arguments: ["aaaaaaaaaaaa", "abababababab", "1111111111111111", "xyzxyzxyzxyz"])
    func repetitive(password: String) {
        #expect(PasswordRules.fault(in: password, names: []) == .repetitive)
    }

    @Test(
        "the user's name and address alone are refused",
        arguments: ["ada.lovelace1", "LovelaceAda2026", "ada.lovelace@example.com"])
    func own(password: String) {
        #expect(PasswordRules.fault(in: password, names: names) == .common)
    }

    @Test(
        "uncommon words and random characters are accepted, without rules for kinds of characters",
        arguments: [
            "correct pony staple wagon", "vk2lq9xw7fzr", "regenschirm tomate", "mit achtzehn hühnern",
            "ленивый кот спит днём", "Xk!92_vQpL#t", "lovelace met babbage at tea",
        ])
    func accepted(password: String) {
        #expect(PasswordRules.fault(in: password, names: names) == nil)
    }

    @Test("a long password of hostile length is judged quickly, and the limit is counted in the request")
    func long() {
        #expect(PasswordRules.fault(in: String(repeating: "password", count: 25), names: names) == .common)
        #expect(PasswordRules.maximum == 200)
    }
}
