package import NIOCore

/// Closes a connection whose client does not read the data that was written to it.
///
/// It must be the first handler in a pipeline, where writes are bytes. A client that reads everything needs no timer.
package final class SlowReaderHandler: ChannelOutboundHandler {
    package typealias OutboundIn = IOData

    /// The minimum speed of a client while data is waiting for it.
    package struct Limits: Sendable {
        /// The period for `bytes`.
        package var time = TimeAmount.seconds(10)
        /// The minimum number of bytes that the client must read in each period.
        package var bytes = 10 * 1024

        /// Creates the default limits: 10 KiB in 10 seconds.
        package init() {}
    }

    /// The number of bytes that the system buffers for a client that does not read: the size of the largest file. The
    /// default is megabytes, and two thousand such clients would use up all the system's memory for connections.
    package static let sendBuffer = 128 * 1024

    private let limits: Limits
    private let expired: () -> Void
    private var written: UInt64 = 0
    /// The next check, or `nil` if no data is waiting.
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
    /// The number of bytes that were written but not read by the client. Use it on the channel's event loop.
    package var bytesWaiting: UInt64 { UInt64(max(0, (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)) }
}
