package import NIOCore

/// Ends a connection whose client does not take what has been written to it.
///
/// Comes first in a pipeline, where what is written is bytes. A client that takes all there is costs no timer.
package final class SlowReaderHandler: ChannelOutboundHandler {
    package typealias OutboundIn = IOData

    /// The least that a client has to take while something waits for it.
    package struct Limits: Sendable {
        /// In each of these, …
        package var time = TimeAmount.seconds(10)
        /// … so many bytes have to be taken.
        package var bytes = 10 * 1024

        /// 10 KiB in 10 seconds.
        package init() {}
    }

    /// Bytes that the system takes in for a client that does not read: the longest file. Left to itself it takes megabytes,
    /// and two thousand such clients all the memory that it has for connections.
    package static let sendBuffer = 128 * 1024

    private let limits: Limits
    private let expired: () -> Void
    private var written: UInt64 = 0
    /// The next look; nil while nothing waits.
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
    /// Bytes that have been written and that the client has not taken. To be called on the channel's event loop.
    package var bytesWaiting: UInt64 { UInt64(max(0, (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)) }
}
