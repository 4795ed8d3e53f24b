internal import NIOCore

/// Lets the system keep further connections waiting while a few more are open than may be.
///
/// Those few are turned away with an answer, and hold their descriptors until they are gone. Without an end to them the
/// process would have none left for itself, and ends where its runtime finds none (libdispatch reads `/proc`).
final class AcceptGate: ChannelOutboundHandler {
    typealias OutboundIn = Any
    /// Connections that may be in the course of being turned away.
    private static let most = 64
    private static let pause = TimeAmount.milliseconds(50)

    private let connections: Connections
    private var isWaiting = false

    init(_ connections: Connections) { self.connections = connections }

    func read(context: ChannelHandlerContext) {
        guard !isWaiting else { return }
        guard connections.excess >= Self.most else { return context.read() }
        isWaiting = true
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            isWaiting = false
            read(context: context)
        }
    }
}
