internal import NIOCore

/// Stops accepting connections while too many are open. Further connections wait in the system's queue.
///
/// A few connections above the limit are accepted, get an answer, and are closed. They use descriptors until they are
/// closed, so their number is limited too. Without this limit, the process could run out of descriptors, and its
/// runtime would then end it (libdispatch reads `/proc`).
final class AcceptGate: ChannelOutboundHandler {
    typealias OutboundIn = Any
    /// The maximum number of connections above the limit.
    private static let maximum = 64
    private static let pause = TimeAmount.milliseconds(50)

    private let connections: Connections
    private var isWaiting = false

    init(_ connections: Connections) { self.connections = connections }

    func read(context: ChannelHandlerContext) {
        guard !isWaiting else { return }
        guard connections.excess >= Self.maximum else { return context.read() }
        isWaiting = true
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            isWaiting = false
            read(context: context)
        }
    }
}
