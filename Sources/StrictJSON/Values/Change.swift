/// The change of one field in a partial update: an absent key keeps it, `null` clears it, and a value sets it.
public enum Change<Value> {
    /// The key is absent: keep the field.
    case keep
    /// The key is `null`: clear the field.
    case clear
    /// The key has a value: set the field.
    case set(Value)

    /// Returns the field after the change.
    public func applied(to current: Value?) -> Value? {
        switch self {
        case .keep: current
        case .clear: nil
        case .set(let value): value
        }
    }

    /// Returns the field after the change, for a field that cannot be absent. Clearing sets it to `fallback`.
    public func applied(to current: Value, clearedTo fallback: Value) -> Value {
        switch self {
        case .keep: current
        case .clear: fallback
        case .set(let value): value
        }
    }
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}
