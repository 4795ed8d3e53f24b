/// A pattern in its form for comparison. The owner of its code must outlive the view.
struct PatternView: BitwiseCopyable {
    /// The part of a pattern after its literal beginning.
    enum Tail: UInt8, BitwiseCopyable {
        /// Empty: the text must end there.
        case end
        /// Only a star: any text may follow.
        case anything
        /// A star and a literal: the text must end with the literal.
        case suffix
        /// Other steps. All variables have only one-character values.
        case steps
        /// Steps that need ``PlaceMatcher``.
        case places
    }

    let code: UnsafePointer<UInt32>
    let count: Int
    /// The number of literal bytes at the beginning.
    let prefix: Int
    let tail: Tail
    /// The number of literal bytes at the end, after the prefix.
    let suffix: Int
    /// The index of this pattern's first variable in the table of variables.
    let firstVariable: Int

    init(_ start: UnsafePointer<UInt32>, count: Int, firstVariable: Int) {
        // A literal at the beginning, and a single star after it, are compared without a search.
        let code = UnsafeBufferPointer(start: start, count: count)
        let prefix = code.firstIndex { $0 >= StepCode.one } ?? count
        let rest = code[prefix...]
        if rest.isEmpty {
            tail = .end
        } else if rest.contains(where: { $0 >= StepCode.variable }) {
            tail = .places
        } else if rest.first == StepCode.run, rest.dropFirst().allSatisfy({ $0 < StepCode.one }) {
            tail = rest.count == 1 ? .anything : .suffix
        } else {
            tail = .steps
        }
        self.code = start
        self.count = count
        self.prefix = prefix
        suffix = rest.reversed().prefix { $0 < StepCode.one }.count
        self.firstVariable = firstVariable
    }

    /// Whether the text begins with the pattern's literal beginning.
    @inline(__always)
    func prefixMatches(_ text: TextView) -> Bool {
        if text.count < prefix { return false }
        for index in 0..<prefix where code[index] != UInt32(text.start[index]) { return false }
        return true
    }

    /// Whether the text matches. The caller has checked the prefix.
    @inline(__always)
    func tailMatches(
        _ text: TextView, _ variables: VariableList, _ matcher: inout PlaceMatcher, _ budget: inout MatchBudget
    ) -> Bool {
        switch tail {
        case .end: text.count == prefix
        case .anything: true
        case .suffix: suffixMatches(text)
        case .steps:
            suffixMatches(text)
                && follow(text, variables, &budget) ?? matcher.matches(self, text, variables, &budget)
        case .places:
            suffixMatches(text) && matcher.matches(self, text, variables, &budget)
        }
    }

    /// Whether the text after the prefix ends with the pattern's literal end. This is the cheapest comparison.
    private func suffixMatches(_ text: TextView) -> Bool {
        guard text.count - prefix >= suffix else { return false }
        let end = text.start + (text.count - suffix)
        let steps = code + (count - suffix)
        for index in 0..<suffix where steps[index] != UInt32(end[index]) { return false }
        return true
    }

    /// Follows the steps after the prefix, and backtracks only to the last star. Returns `nil` if it backtracks too
    /// often, because the cost can be quadratic.
    ///
    /// Backtracking to the last star finds every match. Each step leads from one place to exactly one place, and from a
    /// later place to a later one. So for the steps between two stars, the first match is as good as any other.
    func follow(_ text: TextView, _ variables: VariableList, _ budget: inout MatchBudget) -> Bool? {
        let limit = 4 * (text.count + count) + 64
        var work = 0
        defer { budget.spend(work) }
        var (place, step) = (prefix, prefix)
        var resume: (place: Int, step: Int)?
        while true {
            work += 1
            if work > limit { return nil }
            if step < count {
                let code = code[step]
                if code < StepCode.one {
                    if place < text.count, UInt32(text.start[place]) == code {
                        place += 1
                        step += 1
                        continue
                    }
                } else if code == StepCode.run {
                    step += 1
                    if step == count { return true }
                    resume = (place, step)
                    continue
                } else if place < text.count {
                    if code == StepCode.one {
                        place = text.next(place)
                        step += 1
                        continue
                    }
                    if variables.characters(firstVariable + Int(StepCode.place(code))).contains(text.start[place]) {
                        place += 1
                        step += 1
                        continue
                    }
                }
            } else if place == text.count {
                return true
            }
            guard let last = resume, last.place < text.count else { return false }
            place = text.next(last.place)
            step = last.step
            resume = (place, step)
        }
    }
}

/// A list of variables. Their owner must outlive it.
struct VariableList: BitwiseCopyable {
    let start: UnsafePointer<Unmanaged<Variable>>

    func characters(_ place: Int) -> ASCIISet { start[place]._withUnsafeGuaranteedRef { $0.characters } }
}

/// A text in its form for comparison: valid UTF-8. The owner of its memory must outlive the view.
struct TextView: BitwiseCopyable {
    let start: UnsafePointer<UInt8>
    let count: Int
    /// A number that differs for each text of a URL.
    let identity: Int

    /// The end of the scalar that begins at `place`.
    @inline(__always)
    func next(_ place: Int) -> Int {
        var next = place + 1
        while next < count, start[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }

    func equals(_ other: TextView) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where start[index] != other.start[index] { return false }
        return true
    }
}

/// A set of ASCII characters.
struct ASCIISet: Sendable, BitwiseCopyable {
    private var low: UInt64
    private var high: UInt64

    /// Creates a set from bits for the characters 0 to 63 and 64 to 127.
    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    init(_ characters: some Sequence<UInt8>) {
        self.init(low: 0, high: 0)
        for byte in characters where byte < 0x80 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        // Selects the half without a branch, because this runs for every byte of a URL.
        let half = byte & 64 == 0 ? low : high
        return byte < 128 && half &>> UInt64(byte & 63) & 1 == 1
    }
}
