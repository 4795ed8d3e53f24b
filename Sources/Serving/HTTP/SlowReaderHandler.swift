package import NIOCore

/// Closes a connection whose client does not read the bytes that were written to it.
///
/// It must be first in a pipeline, where writes are bytes. A client that reads everything needs no timer.
package final class SlowReaderHandler: ChannelOutboundHandler {
    package typealias OutboundIn = IOData

    /// The minimum speed of a client while bytes wait for it.
    package struct Limits: Sendable {
        /// The period for `bytes`.
        package var time = TimeAmount.seconds(10)
        /// The minimum number of bytes that the client must read in each period.
        package var bytes = 10 * 1024

        /// 10 KiB in 10 seconds.
        package init() {}
    }

    /// The number of bytes that the system buffers for a client that does not read: the size of the largest file. By
    /// default it buffers megabytes, so that two thousand such clients use up all its memory for connections.
    package static let sendBuffer = 128 * 1024

    private let limits: Limits
    private let expired: () -> Void
    private var written: UInt64 = 0
    /// The next check; nil while no bytes wait.
    private var look: Scheduled<Void>?

    /// - Parameter expired: called before the connection is closed.
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
        lookAgain(context, taken: written &- waiting)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        look?.cancel()
    }

    private func lookAgain(_ context: ChannelHandlerContext, taken before: UInt64) {
        look = context.eventLoop.assumeIsolated().scheduleTask(in: limits.time) { [weak self] in
            guard let self else { return }
            look = nil
            let waiting = context.channel.bytesWaiting
            guard waiting > 0 else { return }
            let taken = written &- waiting
            if taken &- before >= UInt64(limits.bytes) { return lookAgain(context, taken: taken) }
            expired()
            context.close(promise: nil)
        }
    }
}

extension Channel {
    /// The number of bytes that were written and not read by the client. Use it on the channel's event loop.
    package var bytesWaiting: UInt64 { UInt64(max(0, (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)) }
}
