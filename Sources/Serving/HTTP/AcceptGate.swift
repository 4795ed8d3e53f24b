internal import NIOCore

/// Stops accepting while too many connections are open, so that further ones wait in the system's queue.
///
/// A few connections above the limit are accepted, get an answer, and are closed. They hold descriptors until they are
/// gone. Without a limit on them, the process would have no descriptors left for itself, and then its runtime ends it
/// (libdispatch reads `/proc`).
final class AcceptGate: ChannelOutboundHandler {
    typealias OutboundIn = Any
    /// The maximum number of connections above the limit.
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
