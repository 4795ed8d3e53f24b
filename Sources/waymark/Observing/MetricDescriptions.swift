/// The descriptions of metrics, and the buckets of histograms. `docs/operations/monitoring.md` has the same list.
enum MetricDescriptions {
    /// The upper bounds of a histogram's buckets, in seconds.
    static func bounds(of metric: String) -> [Double] {
        switch metric {
        // The edge responds from memory. Most responses take a few microseconds.
        case "waymark_edge_request_duration_seconds":
            [0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.1, 1]
        case "waymark_publication_duration_seconds":
            [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
        default: [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
        }
    }

    /// The text of each metric's `# HELP` line.
    static let help = [
        "waymark_http_requests_total": "Requests to the API and the dashboard.",
        "waymark_http_request_duration_seconds": "Time from a request's head to its response.",
        "waymark_http_requests_working": "Requests being worked on.",
        "waymark_http_requests_waiting": "Requests waiting for their turn.",
        "waymark_http_requests_watching": "Requests waiting for a change (?wait=).",
        "waymark_http_requests_refused_total":
            "Requests answered with 429: too many were waiting, or too many large bodies were arriving.",
        "waymark_http_connections_expired_total": "Connections closed because the client was too slow.",
        "waymark_log_lines_dropped_total": "Log lines dropped because standard error was not read fast enough.",
        "waymark_mails_total": "Attempts to send mails by their outcome: sent, postponed or failed.",
        "waymark_publications_total": "Publications by the state they ended in.",
        "waymark_publication_duration_seconds":
            "Time from when a publication was due until its version was live, for publications that went live.",
        "waymark_schedule_runs_total": "Runs of schedules; catchUp runs came late.",
        "waymark_schedules_suspended_total": "Schedules that were suspended because they need attention.",
        "waymark_schedule_outcomes_total": "Domains in runs of schedules by outcome.",
        "waymark_withdrawals_total": "Withdrawals by the state they ended in.",
        "waymark_releases_total": "Releases by the state they ended in.",
        "waymark_replacements_total": "Replacements of apps by the state they ended in.",
        "waymark_rate_limited_total": "Requests refused by a rate limit.",
        "waymark_jobs_total": "Attempts at jobs by outcome.",
        "waymark_jobs_overdue_seconds": "How long the longest-due job has waited for a worker.",
        "waymark_jobs_parked": "Jobs that were given up and need attention.",
        "waymark_bucket_pushes_total": "Attempts to bring an object of a bucket up to date by outcome.",
        "waymark_bucket_objects_behind": "Objects of a bucket that are out of date.",
        "waymark_bucket_objects_failing": "Objects of a bucket whose last attempt failed.",
        "waymark_bucket_failing": "1 while a bucket cannot be read; it is tried with one object at a time.",
        "waymark_bucket_comparisons_total": "Comparisons of everything that a bucket lists by outcome.",
        "waymark_bucket_foreign_objects": "Keys below a bucket's prefix that belong to no host.",
        "waymark_database_connections": "Open connections to the database.",
        "waymark_database_connections_in_use": "Connections to the database that are in use.",
        "waymark_database_connections_opened_total": "Connections to the database that were opened.",
        "waymark_database_connections_closed_total": "Connections to the database that were closed.",
        "waymark_database_connect_failures_total": "Failed attempts to connect to the database.",
        "waymark_database_pool_waiting": "Callers waiting for a connection to the database.",
        "waymark_database_pool_refusals_total": "Callers refused because no connection became free in time.",
        "waymark_edge_responses_total": "Responses of the edge by status.",
        "waymark_edge_request_duration_seconds": "Time from a complete request to its response at the edge.",
        "waymark_edge_connections": "Open connections to the edge.",
        "waymark_edge_connections_refused_total": "Connections refused because the edge was at its limit.",
        "waymark_edge_connections_expired_total": "Connections closed because the client was too slow.",
        "waymark_follower_activation": "The number of the snapshot that is served.",
        "waymark_follower_hosts": "Hosts that are served.",
        "waymark_follower_hosts_held": "Hosts served with an older file because the new one could not be fetched.",
        "waymark_follower_hosts_unavailable": "Published hosts answered with 503 because no file could be fetched.",
        "waymark_follower_rejections_total": "Parts of snapshots that were rejected by cause.",
        "waymark_reports_failed_total": "Reports to the API that failed or were refused.",
        "waymark_reports_fetches_dropped_total":
            "Fetches that were not counted: too many different ones, or the API was unreachable for too long.",
    ]
}
