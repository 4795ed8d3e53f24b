extension PatternShape {
    /// Whether this pattern matches every text that `other` matches.
    ///
    /// True follows from the matching rules that are documented or observed. False can also mean that the answer is
    /// unknown. The cost is at most the product of both lengths.
    func covers(_ other: PatternShape) -> Bool {
        if matchesEverything { return true }
        guard defect == nil, other.defect == nil, !hasBackslash, !other.hasBackslash else { return false }
        return mayCover(other) && reaches(other.comparable(to: self))
    }

    /// A quick test that most pairs fail.
    func mayCover(_ other: PatternShape) -> Bool {
        minimumLength <= other.minimumLength && literalBits & ~other.literalBits == 0
            && (other.literalEnd.starts(with: literalEnd) || other.endsBehindVariable && canEnd(like: other))
    }

    /// Whether the last characters of both patterns can be the same. A quick test that most pairs fail.
    func canEnd(like other: PatternShape) -> Bool {
        for (mine, theirs) in zip(literalEnd, other.literalEnd) where mine != theirs { return false }
        return true
    }

    /// Whether the last characters come after a variable. Another pattern may end with one of the variable's values.
    private var endsBehindVariable: Bool {
        if case .variable? = tokens.dropLast(literalEnd.count).last { true } else { false }
    }

    /// The steps, adapted to the case sensitivity of another pattern. If only this pattern ignores letter case, one of
    /// its letters matches several characters. In the other pattern, only `?` and `*` match all of these.
    private func comparable(to other: PatternShape) -> [Token] {
        guard isFolded != other.isFolded else { return tokens }
        return tokens.map { token in
            switch token {
            case .character(let scalar) where isFolded:
                Self.isCaseless(scalar) ? token : .one
            case .character(let scalar): .character(Self.folded(scalar))
            case .variable(let number) where isFolded: table.all[number].isOneCharacter ? .one : .run
            case .one, .run, .variable: token
            }
        }
    }

    /// Whether this is an ASCII character that is not a letter. Other characters count as letters.
    private static func isCaseless(_ scalar: UInt32) -> Bool {
        scalar < 0x80 && !(0x41...0x5A).contains(scalar) && !(0x61...0x7A).contains(scalar)
    }

    /// Walks through both patterns together. `places` are the positions in `other` that the steps so far can reach.
    private func reaches(_ other: [Token]) -> Bool {
        var places = [Bool](repeating: false, count: other.count + 1)
        places[0] = true
        var first = 0
        for token in tokens {
            var next = [Bool](repeating: false, count: other.count + 1)
            var newFirst = other.count + 1
            if case .run = token {
                for place in first...other.count { next[place] = true }
                newFirst = first
            } else {
                for place in first..<other.count where places[place] {
                    forEachEnd(of: token, at: place, in: other) { end in
                        next[end] = true
                        newFirst = min(newFirst, end)
                    }
                }
            }
            guard newFirst <= other.count else { return false }
            places = next
            first = newFirst
        }
        return places[other.count]
    }

    /// Calls `body` with each position in the other pattern where a step that begins at `place` can certainly end.
    private func forEachEnd(of token: Token, at place: Int, in other: [Token], _ body: (Int) -> Void) {
        switch (token, other[place]) {
        case (.character(let a), .character(let b)):
            if a == b { body(place + 1) }
        case (.one, .character), (.one, .one): body(place + 1)
        case (.one, .variable(let number)):
            if table.all[number].isOneCharacter { body(place + 1) }
        case (.variable(let a), .variable(let b)):
            if a == b { body(place + 1) }
        case (.variable(let number), .character):
            for value in table.all[number].plainValues(isFolded: isFolded) {
                let end = place + value.count
                guard end <= other.count, !value.isEmpty else { continue }
                if zip(value, other[place..<end]).allSatisfy({ $1 == .character($0) }) { body(end) }
            }
        default: break
        }
    }
}
