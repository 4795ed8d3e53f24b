internal import Metrics
internal import NIOConcurrencyHelpers
internal import NIOCore

/// The open connections of a listener, their limit, and their shutdown.
final class Connections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isQuiescing = false
    }

    private let state = NIOLockedValueBox(State())
    private let limit: Int
    private let metrics: EdgeMetrics

    init(limit: Int, metrics: EdgeMetrics) {
        self.limit = limit
        self.metrics = metrics
    }

    /// The number of connections above the limit. Negative if below the limit.
    var excess: Int { count - limit }

    var count: Int { state.withLockedValue { $0.channels.count } }

    /// Tracks a connection until it closes. Returns true if it is within the limit. A connection above the limit is
    /// tracked too, because it still gets a response.
    func admit(_ channel: any Channel) -> Bool {
        let (count, isQuiescing) = state.withLockedValue { state in
            state.channels[ObjectIdentifier(channel)] = channel
            return (state.channels.count, state.isQuiescing)
        }
        metrics.connections.record(count)
        channel.closeFuture.whenComplete { [self] _ in
            let count = state.withLockedValue { state in
                state.channels[ObjectIdentifier(channel)] = nil
                return state.channels.count
            }
            metrics.connections.record(count)
        }
        if isQuiescing { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        guard count > limit else { return true }
        metrics.refusedConnections.increment()
        return false
    }

    /// Asks every connection to finish its work and then close.
    func quiesce() {
        let channels = state.withLockedValue { state in
            state.isQuiescing = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Closes all open connections now.
    func closeAll() {
        for channel in state.withLockedValue({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }
}
