import AASA
import Cron
import FoundationEssentials
import Postgres
import Storage
import StrictJSON
import Testing

/// Values of one organization that another may have learned.
struct Loot: Sendable {
    let app: App
    let draft: StoredDraft
    let version: Version
    let publication: Publication
    let test: SavedTest
    /// Nil for an organization that serves nothing.
    let withdrawal: Withdrawal?
    let schedule: Schedule
    let run: ScheduleRun
    let freeze: Freeze
    let job: Job
    let policy: ID<ApprovalPolicy>
    let request: ID<ApprovalRequest>
}

extension TenantTransaction {
    /// A schedule, a run in which a domain failed, and a freeze. Their words end in `word`. The domain has the label
    /// `mine`.
    func addScheduled(_ word: String, on host: Host) throws -> (schedule: Schedule, run: ScheduleRun, freeze: Freeze) {
        let schedule = try createSchedule(
            Schedule.Settings(
                name: "schedule", target: .label("mine"), expression: CronExpression(parsing: "@daily"), zone: "UTC",
                message: "message \(word)"))
        let run = try runNow(schedule.id)
        try addOutcome(.failed(because: "cause \(word)"), of: host, in: run)
        let freeze = try createFreeze(
            label: nil, reason: "reason \(word)", endsAt: clock().addingTimeInterval(3_600))
        return (schedule, run, freeze)
    }
}

/// A public function of a tenant's transaction, and its outcome in words without IDs and times.
struct Verb: Sendable, CustomStringConvertible {
    let name: String
    let run: @Sendable (TenantTransaction, Loot) throws -> String
    var description: String { name }

    init(_ name: String, _ run: @escaping @Sendable (TenantTransaction, Loot) throws -> String) {
        self.name = name
        self.run = run
    }

    /// The outcome, including errors.
    func outcome(in store: StoreUnderTest, with loot: Loot) async throws -> String {
        let text: String
        do {
            text = try await store.write { try run($0, loot) }
        } catch let error as StorageError {
            text = "\(error)"
        } catch let error as UnusableChoice {
            text = "\(error)"
        } catch is JobLost {
            text = "job lost"
        } catch let error as PostgresError {
            text = "\(error)"
        }
        return text.replacing(/[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}/, with: "(id)")
    }
}

extension Verb {
    static let host = "www.example.com"

    /// A claim with the key, the caller and the request that both organizations use.
    static func claim(in organization: ID<Organization>) -> IdempotencyClaim {
        IdempotencyClaim(
            key: "key",
            owner: .caller(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), in: organization),
            fingerprint: Array("request".utf8))
    }

    /// Every public function of `TenantTransaction` over a tenant's rows, except `claim`, because a host has only one
    /// claim in the installation. Functions that delete come last.
    static func all() throws -> [Verb] {
        let app = try AppID("ABCDE12345.com.example.app")
        let team = try TeamID("ABCDE12345")
        let host = try Host(Self.host)
        let alias = try Host("alias.example.com")
        return [
            Verb("use") { tenant, _ in "\(try tenant.use(of: claim(in: tenant.organization)))" },
            Verb("end a claim") { tenant, _ in "\(try tenant.end(claim(in: tenant.organization), with: nil))" },
            Verb("forgetIdempotencyKeys") { tenant, _ in "\(try tenant.forgetIdempotencyKeys())" },
            Verb("signInProvider") { tenant, _ in "\(String(describing: try tenant.signInProvider()?.issuer))" },
            Verb("setSignInProvider") { tenant, _ in
                "\(try tenant.setSignInProvider(SignInProvider(issuer: "i", clientID: "c", clientSecret: nil, domains: [], role: .viewer)))"
            },
            Verb("removeSignInProvider") { tenant, _ in "\(try tenant.removeSignInProvider())" },
            Verb("trail") { tenant, _ in
                let stretch = try tenant.trail(after: 0)
                return "\(stretch?.lines.count ?? -1) \(stretch?.end?.chain.position ?? -1)"
            },
            Verb("sealTrail") { tenant, _ in
                "\(try tenant.sealTrail { _ in ("k", Array(repeating: 0, count: 64)) }?.chain.position ?? -1)"
            },
            Verb("teams") { tenant, _ in "\(try tenant.teams(Page()).items.map(\.name))" },
            Verb("team") { tenant, _ in "\(String(describing: try tenant.team(team)?.name))" },
            Verb("apps") { tenant, _ in "\(try tenant.apps(Page(), search: "example").items.map(\.name))" },
            Verb("app") { tenant, _ in "\(String(describing: try tenant.app(app)?.name))" },
            Verb("domains of an app") { tenant, _ in "\(try tenant.domains(using: app, Page(), search: "www").items)" },
            Verb("registered") { tenant, _ in "\(try tenant.registered(among: [app.description]))" },
            Verb("domains") { tenant, _ in
                "\(try tenant.domains(Page(), DomainFilter(label: "mine")).items.map(summary))"
            },
            Verb("domains in another order") { tenant, _ in
                "\(try tenant.domains(Page(), DomainFilter(search: "www"), sortedBy: .changed).items.map(summary))"
            },
            Verb("domainCounts") { tenant, _ in "\(try tenant.domainCounts(DomainFilter()).matching)" },
            Verb("labels") { tenant, _ in "\(try tenant.labels(Page()).items)" },
            Verb("markDraftsOfNewApps") { tenant, _ in
                let hadNew = try tenant.hasNewApps()
                try tenant.markDraftsOfNewApps()
                return "\(hadNew) \(try tenant.hasNewApps())"
            },
            Verb("uncheckedDrafts") { tenant, _ in
                let unchecked = try tenant.uncheckedDrafts(limit: 10)
                try tenant.save(unchecked.map { DraftCheck(of: $0, result: nil) })
                return "\(try unchecked.map { try tenant.checkable($0)?.tests.map(\.test.url) ?? [] })"
            },
            Verb("domain") { tenant, _ in summary(try tenant.domain(host)) },
            Verb("unchanged") { tenant, _ in "\(try tenant.unchanged(among: [host]))" },
            Verb("lockedDomain") { tenant, _ in summary(try tenant.lockedDomain(host)) },
            Verb("draft") { tenant, _ in "\(try tenant.draft(host).draft.apps)" },
            Verb("lockedDraft") { tenant, _ in "\(try tenant.lockedDraft(host, expecting: nil).draft.apps)" },
            Verb("versions") { tenant, _ in "\(try tenant.versions(host, Page()).items.map(\.message))" },
            Verb("version") { tenant, _ in try tenant.version(1, of: host).message },
            Verb("file") { tenant, _ in "\(try tenant.file(ofVersion: 1, of: host).count)" },
            Verb("blob") { tenant, loot in "\(String(describing: try tenant.blob(loot.version.sha256)?.count))" },
            Verb("hasBeenLive") { tenant, _ in "\(try tenant.hasBeenLive(version: 1, of: host))" },
            Verb("publications") { tenant, _ in "\(try tenant.publications(host, Page()).items.map(\.message))" },
            Verb("publication") { tenant, loot in try tenant.publication(loot.publication.id, of: host).message },
            Verb("blockedReasons") { tenant, loot in "\(try tenant.blockedReasons(of: [loot.publication]).values)" },
            Verb("lockedPublication") { tenant, loot in
                "\(String(describing: try tenant.lockedPublication(loot.publication.id)?.message))"
            },
            Verb("publications of all domains") { tenant, _ in
                "\(try tenant.publications(Page(), .pending).items.map(\.message))"
            },
            Verb("publications in a state") { tenant, _ in
                "\(try tenant.publications(host, Page(), .state(.scheduled)).items.map(\.message))"
            },
            Verb("steps") { tenant, loot in
                "\(try tenant.steps(of: [loot.publication.id]).values.map { $0.map(\.kind) })"
            },
            Verb("lastPending") { tenant, _ in
                "\(String(describing: try tenant.lastPending(host, before: .distantFuture, locking: true)?.message))"
            },
            Verb("preview") { tenant, _ in
                let preview = try tenant.preview(of: host, dueAt: nil, revertAt: nil, overrides: false)
                return "\(preview.suspends.map(\.name)) \(preview.replaces.map(\.name))"
            },
            Verb("domains with something pending") { tenant, _ in
                "\(try tenant.domains(Page(), DomainFilter(publication: .pending)).items.map(summary))"
            },
            Verb("domains with something suspended") { tenant, _ in
                "\(try tenant.domains(Page(), DomainFilter(publication: .suspended)).items.map(summary))"
            },
            Verb("holds") { tenant, loot in "\(try tenant.holds(loot.job))" },
            Verb("postpone") { tenant, loot in
                "\(try tenant.postpone(loot.job, until: Date(timeIntervalSince1970: 0), cause: "theirs"))"
            },
            Verb("postpone a publication") { tenant, loot in
                try tenant.postpone(
                    loot.publication, until: Date(timeIntervalSince1970: 0), attempt: 1, cause: "theirs")
                return ""
            },
            Verb("supersede") { tenant, _ in "\(try tenant.supersede(host, dueAt: nil))" },
            Verb("park") { tenant, loot in "\(try tenant.park(loot.job, cause: "theirs"))" },
            Verb("tests") { tenant, _ in "\(try tenant.tests(host, Page()).items.map(\.test.url))" },
            Verb("allTests") { tenant, _ in "\(try tenant.allTests(host).map(\.test.url))" },
            Verb("test") { tenant, loot in try tenant.test(loot.test.id, of: host).test.url },
            Verb("begin") { tenant, loot in "\(try tenant.begin(loot.publication, attempt: 1))" },
            Verb("cancelPublication") { tenant, loot in
                try tenant.cancelPublication(loot.publication.id, of: host).message
            },
            Verb("end") { tenant, loot in try tenant.end(loot.publication, as: .failed, cause: "theirs").message },
            Verb("finish") { tenant, loot in "\(try tenant.finish(loot.job))" },
            Verb("activate") { tenant, loot in "\(try tenant.activate(loot.version, of: host, expecting: .anything))" },
            Verb("exportedVersions") { tenant, _ in "\(try tenant.exportedVersions(Page()).items.map(\.host))" },
            Verb("exportedWithdrawals") { tenant, _ in "\(try tenant.exportedWithdrawals(Page()).items.map(\.reason))"
            },
            Verb("exportedRuns") { tenant, _ in "\(try tenant.exportedRuns(Page()).items.map(\.kind))" },
            Verb("exportedOutcomes") { tenant, _ in "\(try tenant.exportedOutcomes(Page()).items.map(\.host))" },
            Verb("exportedReleaseDomains") { tenant, _ in
                "\(try tenant.exportedReleaseDomains(Page()).items.map(\.host))"
            },
            Verb("withdrawals") { tenant, _ in "\(try tenant.withdrawals(host, Page()).items.map(\.reason))" },
            Verb("withdrawal") { tenant, loot in
                try tenant.withdrawal(#require(loot.withdrawal?.id), of: host).reason
            },
            Verb("lockedWithdrawal") { tenant, loot in
                "\(String(describing: try tenant.lockedWithdrawal(#require(loot.withdrawal?.id))?.reason))"
            },
            Verb("postpone a withdrawal") { tenant, loot in
                try tenant.postpone(
                    #require(loot.withdrawal), until: Date(timeIntervalSince1970: 0), attempt: 1, cause: "theirs")
                return ""
            },
            Verb("placeEvents") { tenant, _ in "\(try tenant.placeEvents() > 0)" },
            Verb("events") { tenant, _ in
                let filter = EventFilter(kinds: [.domainCreated, .teamCreated])
                return "\(try tenant.events(after: 0, upTo: 1_000, filter).map(\.subject))"
            },
            Verb("newestEvents") { tenant, _ in
                "\(try tenant.newestEvents(Page(), EventFilter(host: host)).items.map(\.kind))"
            },
            Verb("newestEvents of all kinds") { tenant, _ in
                "\(try tenant.newestEvents(Page()).items.map(\.kind))"
            },
            Verb("cancelWithdrawal") { tenant, loot in
                try tenant.cancelWithdrawal(#require(loot.withdrawal?.id), of: host).reason
            },
            Verb("createWithdrawal") { tenant, _ in
                try tenant.createWithdrawal(of: host, reason: "theirs", graceSeconds: 600).reason
            },
            Verb("withdraw") { tenant, loot in try tenant.withdraw(#require(loot.withdrawal)).reason },
            Verb("end a withdrawal") { tenant, loot in
                try tenant.end(#require(loot.withdrawal), as: .failed, cause: "theirs").reason
            },
            Verb("saveDraft") { tenant, loot in
                "\(try tenant.saveDraft(Sample.draft(), of: host, replacing: loot.draft).revision)"
            },
            Verb("createTest") { tenant, _ in
                try tenant.createTest(LinkTest(url: "/theirs", expected: .none), of: host).test.url
            },
            Verb("updateTest") { tenant, loot in
                try tenant.updateTest(loot.test.id, of: host, expecting: nil) { old in
                    LinkTest(url: old.url, expected: .excluded)
                }.test.url
            },
            Verb("importTests") { tenant, loot in
                let suite = LinkTestSuite([loot.test.test, LinkTest(url: "/theirs", expected: .excluded)])
                return "\(try tenant.importTests(suite, of: host, replacing: false))"
            },
            Verb("importTests in place of others") { tenant, _ in
                "\(try tenant.importTests(LinkTestSuite([]), of: host, replacing: true).total)"
            },
            Verb("deleteTest") { tenant, loot in
                let own = try tenant.createTest(LinkTest(url: "/own", expected: .none), of: host)
                try tenant.deleteTest(own.id, of: host, expecting: 1)
                return "\(try tenant.deleteTest(loot.test.id, of: host, expecting: nil))"
            },
            Verb("freeze") { tenant, _ in "\(try tenant.freezeSample(host, path: "/theirs").number)" },
            Verb("createPublication") { tenant, _ in
                _ = try tenant.domain(host)
                return try tenant.createPublication(
                    NewPublication(of: host, version: 1, message: "theirs", report: Sample.report)
                ).message
            },
            Verb("createApp") { tenant, _ in try tenant.createApp(app, teamID: team, name: "theirs").name },
            Verb("updateApp") { tenant, loot in
                var app = loot.app
                app.name = "theirs"
                return try tenant.updateApp(app).name
            },
            Verb("deleteApp") { tenant, _ in "\(try tenant.deleteApp(app))" },
            Verb("createTeam") { tenant, _ in try tenant.createTeam(team, name: "theirs").name },
            Verb("renameTeam") { tenant, _ in try tenant.renameTeam(team, name: "theirs too").name },
            Verb("deleteTeam") { tenant, _ in "\(try tenant.deleteTeam(team))" },
            Verb("createDomain as an alias") { tenant, _ in
                summary(try tenant.createDomain(alias, aliasOf: host))
            },
            Verb("updateDomain") { tenant, _ in
                summary(try tenant.updateDomain(host, aliasOf: nil, labels: ["mine", "theirs"]))
            },
            Verb("deleteDomain") { tenant, _ in "\(try tenant.deleteDomain(host))" },
            Verb("createDomain") { tenant, _ in summary(try tenant.createDomain(host, labels: ["theirs"])) },
            Verb("createToken") { tenant, _ in
                "\(try tenant.createToken(name: "theirs", role: .owner).secret.text.utf8.count)"
            },
            Verb("createOrganization") { tenant, _ in
                try tenant.createOrganization(slug: "again", name: "theirs").name
            },
        ] + scheduling(host)
    }

    /// The functions for schedules, their runs, and freezes.
    private static func scheduling(_ host: Host) -> [Verb] {
        [
            Verb("schedules") { tenant, _ in "\(try tenant.schedules(Page()).items.map(\.settings.message))" },
            Verb("schedules of a domain") { tenant, _ in
                "\(try tenant.schedules(Page(), publishing: host).items.map(\.settings.message))"
            },
            Verb("scheduleCalendar") { tenant, loot in
                let first = loot.run.dueAt.addingTimeInterval(-86_400).formatted(Date.ISO8601FormatStyle()).prefix(10)
                let days = CalendarDays(first: try #require(LocalTime(first + " 00:00")), count: 3, zone: "UTC")
                let told = try tenant.scheduleCalendar(days, Page()).items.flatMap(\.days)
                return "\(told.map { "\($0.ran?.outcomes.filter { $0.value > 0 } ?? [:])" })"
            },
            Verb("lastRuns") { tenant, loot in
                "\(try tenant.lastRuns(of: [loot.schedule.id]).values.map(\.hostCount))"
            },
            Verb("schedule") { tenant, loot in try tenant.schedule(loot.schedule.id).settings.message },
            Verb("lockedSchedule") { tenant, loot in
                "\(String(describing: try tenant.lockedSchedule(loot.schedule.id)?.settings.message))"
            },
            Verb("createSchedule") { tenant, loot in
                try tenant.createSchedule(loot.schedule.settings).settings.message
            },
            Verb("updateSchedule") { tenant, loot in
                try tenant.updateSchedule(loot.schedule.id, expecting: nil, state: .paused, reason: "theirs").settings
                    .message
            },
            Verb("suspend") { tenant, loot in "\(try tenant.suspend(loot.schedule, because: "theirs"))" },
            Verb("reschedule") { tenant, loot in
                let now = Date(timeIntervalSince1970: 0)
                let times = try tenant.dueTimes(of: loot.schedule, until: now)
                return "\(try tenant.reschedule(loot.schedule, after: times, at: now, loot.job))"
            },
            Verb("runs") { tenant, loot in "\(try tenant.runs(of: loot.schedule.id, Page()).items.map(\.hostCount))" },
            Verb("run") { tenant, loot in "\(try tenant.run(loot.run.id, of: loot.schedule.id).hostCount)" },
            Verb("run of any schedule") { tenant, loot in
                "\(String(describing: try tenant.run(loot.run.id)?.hostCount))"
            },
            Verb("runNow") { tenant, loot in "\(try tenant.runNow(loot.schedule.id).hostCount)" },
            Verb("openHosts") { tenant, loot in "\(try tenant.openHosts(of: loot.run, limit: 9))" },
            Verb("addOutcome") { tenant, loot in
                "\(try tenant.addOutcome(.failed(because: "theirs"), of: try Host("z.example.com"), in: loot.run))"
            },
            Verb("outcomes") { tenant, loot in
                "\(try tenant.outcomes(of: loot.run, Page()).items.map(\.kind))"
            },
            Verb("addUnchanged") { tenant, loot in "\(try tenant.addUnchanged(1, in: loot.run))" },
            Verb("end a run") { tenant, loot in "\(try tenant.end(loot.run, failingRest: "theirs"))" },
            Verb("attempts") { tenant, loot in "\(try tenant.attempts(at: loot.job))" },
            Verb("advance") { tenant, loot in "\(try tenant.advance(loot.job))" },
            Verb("putOff") { tenant, loot in "\(try tenant.putOff(loot.job, until: nil))" },
            Verb("freezes") { tenant, _ in "\(try tenant.freezes(Page()).items.map(\.reason))" },
            Verb("freeze") { tenant, loot in try tenant.freeze(loot.freeze.id).reason },
            Verb("freezes covering") { tenant, _ in
                "\(try tenant.freezes(covering: [host]).values.map(\.reason))"
            },
            Verb("freezes covering labels") { tenant, _ in
                "\(try tenant.freezes(covering: [.label("mine")]).values.map(\.reason))"
            },
            Verb("createFreeze") { tenant, _ in
                try tenant.createFreeze(
                    label: "mine", reason: "theirs", endsAt: tenant.clock().addingTimeInterval(60)
                ).reason
            },
            Verb("recordEnd") { tenant, loot in "\(try tenant.recordEnd(of: loot.freeze.id, loot.job))" },
            Verb("liftFreeze") { tenant, loot in try tenant.liftFreeze(loot.freeze.id).reason },
            Verb("approvalPolicies") { tenant, _ in
                "\(try tenant.approvalPolicies(Page()).items.map(\.terms))"
            },
            Verb("approvalPolicy") { tenant, loot in "\(try tenant.approvalPolicy(loot.policy).terms)" },
            Verb("createApprovalPolicy") { tenant, _ in
                "\(try tenant.createApprovalPolicy(ApprovalPolicy.Terms(label: "theirs", approvals: 2)).terms)"
            },
            Verb("changeApprovalPolicy") { tenant, loot in
                "\(try tenant.changeApprovalPolicy(loot.policy, approvals: 3, bypassers: nil).terms)"
            },
            Verb("name a bypasser") { tenant, loot in
                "\(try tenant.changeApprovalPolicy(loot.policy, approvals: nil, bypassers: ["x@example.com"]).terms)"
            },
            Verb("approvalNeeds") { tenant, loot in
                "\(try tenant.approvalNeeds(of: [HostFile(host, loot.version.sha256)], for: .system).values.map(\.self))"
            },
            Verb("approvalRequests") { tenant, _ in
                "\(try tenant.approvalRequests(Page(), isPending: true, of: host).items.map(\.message))"
            },
            Verb("approvalRequest") { tenant, loot in try tenant.approvalRequest(loot.request).message },
            Verb("reviews") { tenant, loot in "\(try tenant.reviews(of: loot.request).map(\.text))" },
            Verb("requestApproval") { tenant, _ in
                try tenant.requestApproval(of: .label("mine"), message: "request theirs").message
            },
            Verb("request approval of a version") { tenant, loot in
                let request = try tenant.requestApproval(
                    of: .hosts([host]), version: loot.version.number, message: "theirs")
                return "\(request.files.map(\.version))"
            },
            Verb("comment") { tenant, loot in try tenant.comment(on: loot.request, "theirs").message },
            Verb("approve") { tenant, loot in "\(try tenant.approve(loot.request, text: "").state)" },
            Verb("reject") { tenant, loot in "\(try tenant.reject(loot.request, because: "theirs").state)" },
            Verb("cancelApprovalRequest") { tenant, loot in
                "\(try tenant.cancelApprovalRequest(loot.request, as: .publisher).state)"
            },
            Verb("deleteApprovalPolicy") { tenant, loot in "\(try tenant.deleteApprovalPolicy(loot.policy))" },
            Verb("deleteSchedule") { tenant, loot in
                "\(try tenant.deleteSchedule(loot.schedule.id, expecting: nil))"
            },
        ]
    }

    private static func summary(_ domain: Domain) -> String {
        "\(domain.host) \(domain.labels) \(domain.state) \(domain.aliases) \(domain.draftSize)"
            + " \(String(describing: domain.live?.version))"
    }
}
