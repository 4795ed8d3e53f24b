import CLibPQ

extension Wire {
    /// The next notification that has arrived; nil if there is none.
    func nextNotification() -> Notification? {
        guard !isBroken, let notification = PQnotifies(connection) else { return nil }
        defer { PQfreemem(notification) }
        return Notification(
            channel: notification.pointee.relname.map { String(cString: $0) } ?? "",
            payload: notification.pointee.extra.map { String(cString: $0) } ?? "")
    }
}
