import Cron
import Testing

/// A random number generator with a seed, so that runs can be repeated (SplitMix64).
private struct SeededChance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// A random expression: its text, and the values of each field, computed without the parser.
private struct RandomExpression {
    var text: [String] = []
    var sets: [Set<Int>] = []

    init(_ chance: inout SeededChance) {
        for bounds in [0...59, 0...23, 1...31, 1...12, 0...7] { add(bounds, &chance) }
    }

    private mutating func add(_ bounds: ClosedRange<Int>, _ chance: inout SeededChance) {
        guard Int.random(in: 0..<3, using: &chance) > 0 else {
            text.append("*")
            sets.append(Set(bounds))
            return
        }
        var set: Set<Int> = []
        let items = (1...Int.random(in: 1...3, using: &chance)).map { _ in
            let (a, b) = (Int.random(in: bounds, using: &chance), Int.random(in: bounds, using: &chance))
            let (low, high) = (min(a, b), max(a, b))
            guard low < high, Bool.random(using: &chance) else {
                set.insert(low)
                return String(low)
            }
            let step = Int.random(in: 1...(high - low), using: &chance)
            for value in low...high where (value - low) % step == 0 { set.insert(value) }
            return step == 1 ? "\(low)-\(high)" : "\(low)-\(high)/\(step)"
        }
        text.append(items.joined(separator: ","))
        sets.append(set)
    }

    func matches(_ minute: Int, _ hour: Int, _ day: Int, _ month: Int, _ weekday: Int) -> Bool {
        guard sets[0].contains(minute), sets[1].contains(hour), sets[3].contains(month) else { return false }
        let isDay = sets[2].contains(day)
        let isWeekday = sets[4].contains(weekday) || (weekday == 0 && sets[4].contains(7))
        switch (text[2] == "*", text[4] == "*") {
        case (true, true): return true
        case (true, false): return isWeekday
        case (false, true): return isDay
        case (false, false): return isDay || isWeekday
        }
    }
}

/// Walks minute by minute through a fixed calendar: 2027-12-31 is a Friday, 2028 is a leap year.
private struct Walker {
    var (year, month, day, hour, minute, weekday) = (2027, 12, 31, 22, 0, 5)
    private let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    mutating func step() {
        minute += 1
        guard minute == 60 else { return }
        (minute, hour) = (0, hour + 1)
        guard hour == 24 else { return }
        (hour, day, weekday) = (0, day + 1, (weekday + 1) % 7)
        guard day > lengths[month - 1] + (month == 2 && year == 2028 ? 1 : 0) else { return }
        (day, month) = (1, month + 1)
        guard month == 13 else { return }
        (month, year) = (1, year + 1)
    }
}

@Suite("Cron expressions and a naive walk")
struct NaiveWalkTests {
    @Test(
        "the next time equals the result of a minute-by-minute walk, across New Year and 29 February",
        arguments: 0..<60)
    func walk(seed: Int) throws {
        var chance = SeededChance(state: UInt64(seed))
        let random = RandomExpression(&chance)
        let text = random.text.joined(separator: " ")
        var walker = Walker()
        let start = LocalTime(year: 2027, month: 12, day: 31, hour: 22)
        guard let expression = try? CronExpression(parsing: text) else {
            // The expression is valid, but its time never comes. The walk must find none either.
            #expect(throws: InvalidCronExpression.self) { try CronExpression(parsing: text) }
            for _ in 0..<(80 * 1_440) {
                walker.step()
                #expect(!random.matches(walker.minute, walker.hour, walker.day, walker.month, walker.weekday))
            }
            return
        }
        var expected = expression.next(after: try #require(start))
        for _ in 0..<(80 * 1_440) {
            walker.step()
            let isNext =
                expected
                == LocalTime(
                    year: walker.year, month: walker.month, day: walker.day, hour: walker.hour, minute: walker.minute)
            let matches = random.matches(walker.minute, walker.hour, walker.day, walker.month, walker.weekday)
            if isNext != matches {
                Issue.record("\(text) at \(walker.year)-\(walker.month)-\(walker.day) \(walker.hour):\(walker.minute)")
                return
            }
            if isNext, let time = expected { expected = expression.next(after: time) }
        }
    }
}
