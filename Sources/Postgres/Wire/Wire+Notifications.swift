import CLibPQ

extension Wire {
    /// The next received notification, or `nil` if none was received.
    func nextNotification() -> Notification? {
        guard !isBroken, let notification = PQnotifies(connection) else { return nil }
        defer { PQfreemem(notification) }
        return Notification(
            channel: notification.pointee.relname.map { String(cString: $0) } ?? "",
            payload: notification.pointee.extra.map { String(cString: $0) } ?? "")
    }
}
