extension Pattern {
    /// Whether the whole text matches: "anchored on both ends" [OBS].
    ///
    /// Takes at most steps × text / 64 of the budget; when that runs out, the answer is no.
    func matches(_ text: ComparedText, _ budget: inout MatchBudget) -> Bool {
        guard defect == nil, !budget.isExhausted else { return false }
        if matchesEverything { return true }
        if !hasVariables, let answer = matchGreedily(text.bytes, &budget) { return answer }
        return matchByPlaces(text, &budget)
    }

    /// Follows all ways through the pattern at once; never slow.
    func matchByPlaces(_ text: ComparedText, _ budget: inout MatchBudget) -> Bool {
        var places = PositionSet(length: text.bytes.count)
        places.insert(0)
        Self.advance(&places, over: steps, in: text, &budget)
        return !budget.isExhausted && places.contains(text.bytes.count)
    }

    /// The usual loop with one place to come back to, the last star: quick, but quadratic where it keeps coming back.
    /// Nil if it took too long for that reason.
    func matchGreedily(_ text: [UInt8], _ budget: inout MatchBudget) -> Bool? {
        let limit = 8 * (text.count + steps.count) + 64
        var work = 0
        defer { budget.spend(work) }
        var (place, step) = (0, 0)
        var resume: (place: Int, step: Int)?
        while true {
            work += 1
            if work > limit { return nil }
            if step < steps.count {
                switch steps[step] {
                case .byte(let byte) where place < text.count && text[place] == byte:
                    place += 1
                    step += 1
                    continue
                case .one where place < text.count:
                    place = Self.next(place, in: text)
                    step += 1
                    continue
                case .run:
                    step += 1
                    if step == steps.count { return true }
                    resume = (place, step)
                    continue
                default: break
                }
            } else if place == text.count {
                return true
            }
            guard let last = resume, last.place < text.count else { return false }
            resume = (Self.next(last.place, in: text), last.step)
            (place, step) = (Self.next(last.place, in: text), last.step)
        }
    }

    /// The place behind the scalar that begins at `place`.
    private static func next(_ place: Int, in text: [UInt8]) -> Int {
        var next = place + 1
        while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }

    /// Follows all ways through the steps at once: `places` holds where in the text the steps so far may end.
    private static func advance(
        _ places: inout PositionSet, over steps: [Step], in text: ComparedText, _ budget: inout MatchBudget
    ) {
        for step in steps {
            budget.spend(text.stepCost)
            guard !budget.isExhausted, !places.isEmpty else {
                places = PositionSet(length: text.bytes.count)
                return
            }
            switch step {
            case .byte(let byte):
                guard let here = text.places(of: byte) else {
                    places = PositionSet(length: text.bytes.count)
                    return
                }
                places.formIntersection(here)
                places.advance(by: 1)
            case .one:
                places.advance(by: 1)
                places.clear(above: text.bytes.count)
                leaveScalars(&places, text)
            case .run:
                places.fillUp()
                places.clear(above: text.bytes.count)
                if let continuations = text.continuations { places.subtract(continuations) }
            case .variable(let variable):
                advance(&places, over: variable, in: text, &budget)
            }
        }
    }

    /// Moves places inside a scalar to its end; a scalar has at most three continuation bytes.
    private static func leaveScalars(_ places: inout PositionSet, _ text: ComparedText) {
        guard let continuations = text.continuations else { return }
        for _ in 0..<3 {
            var inside = places
            inside.formIntersection(continuations)
            if inside.isEmpty { return }
            places.subtract(continuations)
            inside.advance(by: 1)
            places.formUnion(inside)
        }
    }

    /// "Each occurrence is independent; alternatives are tried with backtracking" [INF]/[REP]: here all at once.
    private static func advance(
        _ places: inout PositionSet, over variable: Variable, in text: ComparedText, _ budget: inout MatchBudget
    ) {
        var result = PositionSet(length: text.bytes.count)
        for (length, ends) in text.ends(of: variable, &budget) {
            budget.spend(text.stepCost)
            var next = places
            next.advance(by: length)
            next.formIntersection(ends)
            result.formUnion(next)
        }
        for steps in variable.patternValues {
            var next = places
            advance(&next, over: steps, in: text, &budget)
            result.formUnion(next)
        }
        places = result
    }
}
