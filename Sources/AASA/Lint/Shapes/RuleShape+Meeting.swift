extension RuleShape {
    /// Whether some URL may match both rules. False if only one of them decodes URLs: see ``mayMeetPlain(_:)``. A quick
    /// filter: for most pairs, the answer is no.
    func mayMeet(_ other: RuleShape) -> Bool { isDecoded == other.isDecoded && mayMeetPlain(other) }

    /// Like ``mayMeet(_:)``, but only for URLs without percent-encoding. Decoding does not change them.
    func mayMeetPlain(_ other: RuleShape) -> Bool {
        if let path, let theirs = other.path, !path.canEnd(like: theirs) { return false }
        return mayMeet(path, other.path) && mayMeet(fragment, other.fragment) && queryMayMeet(other)
    }

    private func mayMeet(_ mine: PatternShape?, _ theirs: PatternShape?) -> Bool {
        guard let mine, let theirs else { return true }
        return mine.canEnd(like: theirs) && mine.canBegin(like: theirs)
    }

    private func queryMayMeet(_ other: RuleShape) -> Bool {
        switch (query, other.query) {
        case (.any, _), (_, .any): return true
        // `ExampleURL` cannot combine two patterns for the whole query.
        case (.whole, .whole): return false
        case (.whole, .items(let items)), (.items(let items), .whole): return items.isEmpty
        case (.items(let mine), .items(let theirs)):
            // Comparing more items would take too long.
            guard mine.count * theirs.count <= 64 else { return true }
            return mine.allSatisfy { item in
                theirs.allSatisfy {
                    !$0.name.utf8.elementsEqual(item.name.utf8) || mayMeet(item.pattern, $0.pattern)
                }
            }
        }
    }
}

extension PatternShape {
    /// Whether the first characters of both can be the same.
    fileprivate func canBegin(like other: PatternShape) -> Bool {
        for place in 0..<min(literalCount, other.literalCount) {
            guard case .character(let mine) = tokens[place], case .character(let theirs) = other.tokens[place],
                mine == theirs || Self.folded(mine) == Self.folded(theirs)
            else { return false }
        }
        return true
    }
}
