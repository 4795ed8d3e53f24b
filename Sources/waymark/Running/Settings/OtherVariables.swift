import StrictJSON

/// Waymark's environment variables that are not settings of `serve`. The list is needed to detect misspelled settings.
enum OtherVariables {
    /// The variables of commands, tests and tools.
    static let names = [
        "WAYMARK_SETTINGS_FILE", "WAYMARK_URL", "WAYMARK_TOKEN", "WAYMARK_JOB_TOKEN", "WAYMARK_OWNER_PASSWORD",
        "WAYMARK_RUNTIME_PASSWORD",
        "WAYMARK_BACKUP_PASSWORD", "WAYMARK_FAULT", "WAYMARK_EXECUTABLE", "WAYMARK_RELEASE_EXECUTABLE",
        "WAYMARK_DASHBOARD", "WAYMARK_TEST_PORTS",
    ]

    /// Throws an error if a variable that starts with `WAYMARK_` is unknown. If there are several, the error is about
    /// the first one by name.
    ///
    /// - Parameter settings: The names of all settings.
    /// - Throws: `Settings.Invalid`, with the nearest known name.
    static func requireKnown(_ variables: some Collection<String>, besides settings: [String]) throws {
        let known = settings + names
        let strangers = variables.filter { $0.hasPrefix("WAYMARK_") && !known.contains($0) && !isOfOthers($0) }
        guard let stranger = strangers.min() else { return }
        let hint = NearestName.of(stranger, among: known).map { " Did you mean \($0)?" } ?? ""
        throw Settings.Invalid(
            name: stranger,
            reason:
                "is set in the environment, but this setting does not exist.\(hint) See docs/operations/settings.md."
        )
    }

    /// True if a variable is a bucket's credential, or was added by Kubernetes or Docker. The name of a credential
    /// contains the bucket's name (``BucketsFile``). Kubernetes and Docker add variables for a service named `waymark`
    /// (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
    private static func isOfOthers(_ name: String) -> Bool {
        let ofBucket = /WAYMARK_BUCKET_[A-Z0-9_]+_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)/
        let link = /WAYMARK_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_[0-9]+_(TCP|UDP).*)?)/
        return name.wholeMatch(of: ofBucket) != nil || name.wholeMatch(of: link) != nil
    }
}
