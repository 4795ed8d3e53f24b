extension PatternShape {
    /// Whether every text that `other` matches is matched by this pattern too.
    ///
    /// Conservative: true is certain, as far as the rules it rests on are documented or shown; false may mean that it
    /// could not be told. Costs the product of both lengths at most.
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

    /// Whether the last characters of both can be the same: a quick test that most pairs fail.
    func canEnd(like other: PatternShape) -> Bool {
        for (mine, theirs) in zip(literalEnd, other.literalEnd) where mine != theirs { return false }
        return true
    }

    /// Whether a variable stands before the last characters: its value may be what another pattern ends with.
    private var endsBehindVariable: Bool {
        if case .variable? = tokens.dropLast(literalEnd.count).last { true } else { false }
    }

    /// The steps as a pattern of the other case-sensitivity sees them. Where only this one ignores letter case, a
    /// letter stands for several characters, which nothing but `?` and `*` covers.
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

    /// ASCII characters that are no letters; of others it is not asked.
    private static func isCaseless(_ scalar: UInt32) -> Bool {
        scalar < 0x80 && !(0x41...0x5A).contains(scalar) && !(0x61...0x7A).contains(scalar)
    }

    /// Walks both at once: `places` are those in `other` that the steps so far can have covered.
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

    /// Where a step that begins at a place of the other pattern may end, for certain.
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
