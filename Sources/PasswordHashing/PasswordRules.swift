import CZxcvbn

/// The reason why a password is not accepted.
public enum PasswordFault: Hashable, Sendable {
    /// It has fewer than ``PasswordRules/minimum`` characters.
    case tooShort(Int)
    /// It consists of few different characters.
    case repetitive
    /// It consists of common words, names, keyboard rows and numbers, or a guessing program finds it soon.
    case common

    /// A stable code for programs.
    public var code: String {
        switch self {
        case .tooShort: "too_short"
        case .repetitive, .common: "common_password"
        }
    }

    /// The rule that the password breaks, as the end of a sentence.
    public var detail: String {
        switch self {
        case .tooShort(let count):
            "must have at least \(PasswordRules.minimum) characters; it has \(count). Several words in a row are a good password"
        case .repetitive:
            "must not repeat a few characters. Several words in a row are a good password"
        case .common:
            "must be harder to guess: it consists of common words, your name, rows of keys or numbers. "
                + "Several uncommon words in a row are a good password"
        }
    }
}

/// Checks new passwords. There are no rules for kinds of characters (NIST SP 800-63B, section 3.1.1.2), but passwords that
/// guessing programs try first are refused.
public enum PasswordRules {
    /// The minimum number of characters.
    public static let minimum = 12
    /// The maximum number of characters.
    public static let maximum = 200
    /// The number of characters that must be left after all common parts are removed.
    private static let minimumRest = 4
    private static let minimumVariety = 5
    /// The minimum strength that zxcvbn estimates, in bits. With it, two unrelated rare words usually pass.
    private static let minimumBits = 30.0

    /// Returns why a password is not accepted, or `nil` if it is.
    ///
    /// - Parameter names: The user's names and address, which the password must not consist of.
    public static func fault(in password: String, names: [String]) -> PasswordFault? {
        let count = password.count
        guard count >= minimum else { return .tooShort(count) }
        let text = Array(password.lowercased())
        guard Set(text).count >= minimumVariety else { return .repetitive }
        let own = names.map { Array($0.lowercased()) }.flatMap { name in
            name.split { !$0.isLetter && !$0.isNumber }.map(Array.init) + [name]
        }
        let words = (common + own.filter { $0.count >= 3 }).map(undisguised).sorted { $0.count > $1.count }
        guard rest(of: text, without: words) >= minimumRest else { return .common }
        return ZxcvbnMatch(password, nil, nil) < minimumBits ? .common : nil
    }

    /// Replaces digits and signs by the letters that they often disguise.
    private static func undisguised(_ text: [Character]) -> [Character] { text.map { disguises[$0] ?? $0 } }

    private static let disguises: [Character: Character] = [
        "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "l", "|": "l",
    ]

    /// The number of letters that belong to no common part. Digits and signs do not count.
    private static func rest(of text: [Character], without words: [[Character]]) -> Int {
        let plain = undisguised(text)
        var (position, rest) = (0, 0)
        while position < text.count {
            let tail = plain[position...]
            if let word = words.first(where: { tail.starts(with: $0) }) {
                position += word.count
            } else if let length = run(at: position, in: text) {
                position += length
            } else {
                rest += text[position].isLetter ? 1 : 0
                position += 1
            }
        }
        return rest
    }

    /// The length of a row of keys, or of a part of the alphabet, in either direction, from three characters. `nil` if
    /// there is none here.
    private static func run(at position: Int, in text: [Character]) -> Int? {
        let lengths = rows.map { row in
            var length = 0
            while position + length < text.count, let at = row.firstIndex(of: text[position]),
                at + length < row.count, row[at + length] == text[position + length]
            {
                length += 1
            }
            return length
        }
        return lengths.max().flatMap { $0 >= 3 ? $0 : nil }
    }

    private static let rows: [[Character]] = {
        let forward = [
            "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop",
            "qsdfghjklm", "wxcvbn", "qaz", "wsx", "edc", "rfv", "tgb", "yhn", "ujm",
            "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "1qaz2wsx3edc4rfv5tgb6yhn",
            "1a2b3c4d5e6f7g8h9i", "a1b2c3d4e5f6g7h8i9",
        ].map(Array.init)
        return forward + forward.map { $0.reversed() }
    }()

    private static let common: [[Character]] = """
        access account admin administrator adobe alexander amanda america andrea andrew angel animal anthony apple april
        arsenal august austin autumn baby bailey banana barcelona baseball basketball batman beautiful berlin birthday
        blessed blink buster butterfly change changeme charlie cheese chelsea chocolate christmas coffee compaq computer
        cookie correct correcthorse dallas daniel database december default diamond donald dragon eagle elephant email
        enter ever everyone facebook family february football forever freedom friday friend george ginger google guest
        hallo happy harley hello holiday home horse hunter internet iloveyou january jennifer jessica jesus jordan
        joshua july june killer kitten kumbaya letmein liverpool login london love lovely lucky maggie manager march
        marina marlboro master matrix matthew melissa michael michelle mobile monday money monkey mother mustang my
        mynameis nature new nicole ninja november october office oliver orange orlando pass passcode passphrase passwd
        password passwort please pokemon postgres power prince princess private purple qwerty rainbow ranger robert root
        samantha samsung saturday scooter secret secure security september server shadow silver simple single soccer
        spring starwars station storm summer sunday sunshine superman superuser support sweet system taylor team temp
        temporary test testing thomas thunder thursday tigger today trustno tuesday universal link user victoria
        waymark welcome wednesday whatever william windows winter wizard wordpass yamaha yankees yellow yes you your
        """.split { $0.isWhitespace }.map(Array.init)
}
