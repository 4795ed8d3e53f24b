package import NIOCore

/// Closes a connection if its client reads too slowly.
///
/// It must be the first handler in a pipeline, where writes are bytes. It starts a timer only if written data is still
/// waiting after a flush.
package final class SlowReaderHandler: ChannelOutboundHandler {
    package typealias OutboundIn = IOData

    /// The minimum speed of a client that has data to read.
    package struct Limits: Sendable {
        /// The length of a period.
        package var time = TimeAmount.seconds(10)
        /// The minimum number of bytes that the client must read in each period.
        package var bytes = 10 * 1024

        /// Creates the default limits: 10 KiB in 10 seconds.
        package init() {}
    }

    /// The size of the system's send buffer for a connection, in bytes: the size of the largest file. The system's
    /// default is megabytes. Two thousand clients that do not read would then use up all memory for connections.
    package static let sendBuffer = 128 * 1024

    private let limits: Limits
    private let expired: () -> Void
    private var written: UInt64 = 0
    /// The next check of the client's speed, or `nil` if no data is waiting.
    private var look: Scheduled<Void>?

    /// - Parameter expired: Called before the connection is closed.
    package init(limits: Limits, expired: @escaping () -> Void) {
        self.limits = limits
        self.expired = expired
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written &+= UInt64(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    package func flush(context: ChannelHandlerContext) {
        context.flush()
        guard look == nil, case let waiting = context.channel.bytesWaiting, waiting > 0 else { return }
        checkAgain(context, taken: written &- waiting)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        look?.cancel()
    }

    private func checkAgain(_ context: ChannelHandlerContext, taken before: UInt64) {
        look = context.eventLoop.assumeIsolated().scheduleTask(in: limits.time) { [weak self] in
            guard let self else { return }
            look = nil
            let waiting = context.channel.bytesWaiting
            guard waiting > 0 else { return }
            let taken = written &- waiting
            if taken &- before >= UInt64(limits.bytes) { return checkAgain(context, taken: taken) }
            expired()
            context.close(promise: nil)
        }
    }
}

extension Channel {
    /// The number of bytes that were written but not yet passed to the system. Use it on the channel's event loop.
    package var bytesWaiting: UInt64 { UInt64(max(0, (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)) }
}
