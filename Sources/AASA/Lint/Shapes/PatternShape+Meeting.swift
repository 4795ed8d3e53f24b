extension PatternShape {
    /// A text that this pattern matches: a value for each variable, the shortest text for `*`, and a letter for `?`.
    /// `nil` if the pattern never matches or no text is found.
    var sample: [UInt32]? {
        var budget = LintBudget()
        return meeting(nil, &budget)
    }

    /// A text that both patterns match, or `nil` if none is found. Each variable is tried with only one of its values.
    /// The cost is at most the product of both lengths.
    func meeting(_ other: PatternShape?, _ budget: inout LintBudget) -> [UInt32]? {
        guard defect == nil, other?.defect == nil, !hasBackslash, other?.hasBackslash != true else { return nil }
        guard let mine = spelledOut else { return nil }
        guard let theirs = other.map(\.spelledOut) ?? [.run] else { return nil }
        return Product(
            mine: mine, theirs: theirs, isMineFolded: isFolded, areTheirsFolded: other?.isFolded ?? isFolded
        ).text(&budget)
    }

    func spellOut() -> [Token]? {
        if variables.isEmpty { return tokens }
        var result: [Token] = []
        for token in tokens {
            guard case .variable(let number) = token else {
                result.append(token)
                continue
            }
            guard let value = table.all[number].sample else { return nil }
            let text = String(decoding: isFolded ? CaseFolding.folded(value) : value, as: UTF8.self)
            result += text.unicodeScalars.map { .character($0.value) }
        }
        return result
    }

    /// A walk through both patterns together. It finds the shortest text first.
    private struct Product {
        let mine: [Token]
        let theirs: [Token]
        let isMineFolded: Bool
        let areTheirsFolded: Bool

        /// The character used for wildcards: `x`.
        private static let filler: UInt32 = 0x78

        /// The maximum number of position pairs to try.
        private static let limit = 16_384

        func text(_ budget: inout LintBudget) -> [UInt32]? {
            let width = theirs.count + 1
            let count = (mine.count + 1) * width
            guard count <= Self.limit else { return nil }
            // For each position, the previous position and the character between them (0 for none).
            var origins = [Int](repeating: -1, count: count)
            var characters = [UInt32](repeating: 0, count: count)
            var queue = [0]
            origins[0] = 0
            var next = 0
            // Memory allocation has a cost too.
            guard budget.spend(8 + count / 16) else { return nil }
            while next < queue.count {
                let place = queue[next]
                next += 1
                guard place < count - 1, budget.spend(2) else { break }
                forEachStep(place / width, place % width) { i, j, character in
                    let target = i * width + j
                    guard origins[target] < 0 else { return }
                    origins[target] = place
                    characters[target] = character
                    queue.append(target)
                }
            }
            guard origins[count - 1] >= 0 else { return nil }
            var result: [UInt32] = []
            var place = count - 1
            while place != 0 {
                if characters[place] != 0 { result.append(characters[place]) }
                place = origins[place]
            }
            return result.reversed()
        }

        private func forEachStep(_ i: Int, _ j: Int, _ body: (Int, Int, UInt32) -> Void) {
            let a = i < mine.count ? mine[i] : nil
            let b = j < theirs.count ? theirs[j] : nil
            // A star can end at any position without a character.
            if a == .run { body(i + 1, j, 0) }
            if b == .run { body(i, j + 1, 0) }
            guard let a, let b, let character = common(a, b) else { return }
            body(a == .run ? i : i + 1, b == .run ? j : j + 1, character)
        }

        /// A character that both steps match, or `nil` for two stars, which need no character.
        private func common(_ a: Token, _ b: Token) -> UInt32? {
            switch (a, b) {
            case (.run, .run): nil
            case (.character(let x), .character(let y)): common(x, y)
            case (.character(let x), _), (_, .character(let x)): x
            default: Self.filler
            }
        }

        /// A character that both match. If one pattern ignores letter case, the other pattern's character is returned.
        private func common(_ x: UInt32, _ y: UInt32) -> UInt32? {
            if x == y { return x }
            if isMineFolded, PatternShape.folded(y) == x { return y }
            if areTheirsFolded, PatternShape.folded(x) == y { return x }
            return nil
        }
    }
}
