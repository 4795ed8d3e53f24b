# The executable `waymark`, for every role of `waymark serve`.
#
#   docker build --tag waymark .
#   docker run --rm waymark --help

FROM swift:6.3.1-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        esbuild libbrotli-dev libcurl4-openssl-dev libfido2-dev libidn2-dev libpq-dev libqrencode-dev libssl-dev libzxcvbn-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
# The packages come first, so that they are only fetched again when they change.
COPY Package.* ./
RUN swift package resolve
COPY Sources Sources
COPY Tests Tests
# Links Swift's libraries statically, so that the final image needs nothing of the toolchain.
RUN swift build --configuration release --product waymark --static-swift-stdlib \
    && install -D "$(swift build --configuration release --show-bin-path)/waymark" /out/bin/waymark
COPY Scripts Scripts
COPY public public
COPY docs/findings docs/findings
RUN Scripts/bundle-pages /out/share/waymark
COPY contract /out/share/waymark/contract
COPY migrations /out/share/waymark/migrations

FROM debian:12.11-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates curl libbrotli1 libcurl4 libfido2-1 libidn2-0 libpq5 libqrencode4 libssl3 libzxcvbn0 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --user-group --uid 10001 --home-dir /var/lib/waymark --no-create-home waymark \
    && install --directory --owner waymark --group waymark --mode 0711 \
        /var/lib/waymark /var/lib/waymark/keys /var/lib/waymark/edge
COPY --from=build /out /usr/local
USER waymark
WORKDIR /var/lib/waymark
# Mount volumes at `keys` and at `edge`, which keeps the last verified snapshot. The addresses are those inside the
# container: publish only the ports that others need, and never those of the metrics.
ENV WAYMARK_STATE_DIRECTORY=/var/lib/waymark \
    WAYMARK_ADDRESS=0.0.0.0:8080 \
    WAYMARK_EDGE_ADDRESS=0.0.0.0:8081 \
    WAYMARK_METRICS_ADDRESS=0.0.0.0:8082 \
    WAYMARK_EDGE_METRICS_ADDRESS=0.0.0.0:8083
EXPOSE 8080 8081 8082 8083
STOPSIGNAL SIGTERM
ENTRYPOINT ["waymark"]
CMD ["serve"]
