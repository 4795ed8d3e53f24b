internal import Metrics
internal import NIOConcurrencyHelpers
internal import NIOCore

/// The open connections of a listener: how many may be, and all of them when the time has come to end.
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

    /// How many there are beyond the limit; negative below it.
    var excess: Int { count - limit }

    var count: Int { state.withLockedValue { $0.channels.count } }

    /// Notes the connection until it closes; false where there is no room, and then it is noted all the same, because it
    /// must still be told so.
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

    /// Lets every connection finish what it is doing.
    func quiesce() {
        let channels = state.withLockedValue { state in
            state.isQuiescing = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Ends what is left.
    func closeAll() {
        for channel in state.withLockedValue({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }
}
