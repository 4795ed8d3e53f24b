import HTTPTypes
import Storage

/// All routes with the rights that they require. A route has a budget here only if it differs from
/// ``RouteBudget/usual``. A test compares this table with the contract in `contract/`.
extension API {
    /// The routes.
    public var routes: [Route] {
        [
            Route(.get, "/livez", budget: .probe, .probe(livez)),
            Route(.get, "/readyz", budget: .probe, .probe(readyz)),
            Route(.get, "/v1/openapi.json", .probe(showContract)),
            Route(.get, "/v1/installation", .probe(showInstallation)),

            Route(.post, "/v1/lint", .anyone(lint)),
            Route(.post, "/v1/evaluations", query: ["explain"], .anyone(evaluatePosted)),

            Route(.post, "/v1/passkey-challenges", .arrival(createPasskeyChallenge)),
            Route(.post, "/v1/session", bodyLimit: 8_192, budget: .password, isCostly: true, .arrival(signIn)),
            Route(.delete, "/v1/session", .caller(signOut)),
            Route(
                .post, "/v1/session/confirmations", bodyLimit: 8_192, budget: .password, needsSession: true,
                isForProviderSessions: true, mayChange: false, isCostly: true, .caller(confirmSession)),
            Route(.get, "/v1/sessions", needsSession: true, .caller(listSessions)),
            Route(.delete, "/v1/sessions", needsSession: true, .caller(endOtherSessions)),
            Route(.delete, "/v1/sessions/{id}", needsSession: true, .caller(endSession)),
            Route(.get, "/v1/me", isBrief: true, .caller(showMe)),
            Route(.patch, "/v1/me", needsSession: true, .caller(changeMe)),
            Route(
                .put, "/v1/me/password", bodyLimit: 4_096, budget: .password, needsConfirmation: true,
                isCostly: true, .caller(changePassword)),

            Route(.get, "/v1/me/second-factor", needsSession: true, .caller(showSecondFactor)),
            Route(
                .put, "/v1/me/second-factor", bodyLimit: 4_096, needsConfirmation: true, .caller(setSecondFactor)),
            Route(.delete, "/v1/me/second-factor", needsConfirmation: true, .caller(removeSecondFactor)),
            Route(.post, "/v1/me/totp-secrets", needsConfirmation: true, .caller(createTOTPSecret)),
            Route(.post, "/v1/me/recovery-codes", needsConfirmation: true, .caller(createRecoveryCodes)),

            Route(.post, "/v1/provider-sign-ins", bodyLimit: 4_096, .arrival(beginProviderSignIn)),
            Route(.post, "/v1/provider-sign-ins/completions", bodyLimit: 16_384, .arrival(finishProviderSignIn)),
            Route(.get, "/v1/me/identities", needsSession: true, .caller(listIdentities)),
            Route(
                .post, "/v1/me/identity-connections", bodyLimit: 4_096, needsConfirmation: true,
                .caller(beginIdentityConnection)),
            Route(.delete, "/v1/me/identities/{id}", needsConfirmation: true, .caller(disconnectIdentity)),
            Route(.get, "/v1/sign-in-provider", .member(.owner, showSignInProvider)),
            Route(
                .put, "/v1/sign-in-provider", bodyLimit: 32_768, needsConfirmation: true,
                .member(.owner, setSignInProvider)),
            Route(
                .delete, "/v1/sign-in-provider", needsConfirmation: true, .member(.owner, removeSignInProvider)),

            Route(.get, "/v1/me/passkeys", needsSession: true, .caller(listPasskeys)),
            Route(
                .post, "/v1/me/passkey-challenges", needsConfirmation: true,
                .caller(createNewPasskeyChallenge)),
            Route(.post, "/v1/me/passkeys", bodyLimit: 16_384, needsConfirmation: true, .caller(addPasskey)),
            Route(.delete, "/v1/me/passkeys/{id}", needsConfirmation: true, .caller(removePasskey)),

            Route(.post, "/v1/password-reset-mails", bodyLimit: 4_096, isCostly: true, .arrival(mailPasswordReset)),
            Route(
                .post, "/v1/password-resets", bodyLimit: 8_192, budget: .password, isCostly: true,
                .arrival(resetPassword)),

            Route(.post, "/v1/sign-up-mails", bodyLimit: 4_096, isCostly: true, .arrival(mailSignUp)),
            Route(.post, "/v1/sign-ups", bodyLimit: 4_096, budget: .password, isCostly: true, .arrival(signUp)),

            Route(.get, "/v1/invitations", query: Route.countedPage, .member(.admin, listInvitations)),
            Route(.post, "/v1/invitations", needsConfirmation: true, .member(.admin, createInvitation)),
            Route(.get, "/v1/invitations/{id}", .member(.admin, showInvitation)),
            Route(.delete, "/v1/invitations/{id}", needsConfirmation: true, .member(.admin, withdrawInvitation)),
            Route(.post, "/v1/invitations/{id}/renewals", needsConfirmation: true, .member(.admin, renewInvitation)),
            Route(.post, "/v1/invitation-views", bodyLimit: 4_096, .arrival(viewInvitation)),
            Route(
                .post, "/v1/invitation-acceptances", bodyLimit: 4_096, budget: .password,
                isCostly: true, .arrival(acceptInvitation)),

            Route(.post, "/v1/organizations", needsSession: true, .caller(createOrganization)),
            Route(.get, "/v1/organization", .member(.viewer, showOrganization)),
            Route(.patch, "/v1/organization", needsConfirmation: true, .member(.owner, changeOrganization)),

            Route(.get, "/v1/organization/export", query: ["cursor"], .member(.owner, exportOrganization)),
            Route(
                .post, "/v1/organization/restorations", bodyLimit: 4 << 20, .member(.owner, restoreRecords)),
            Route(
                .post, "/v1/organization/deletion", needsConfirmation: true, .member(.owner, requestDeletion)),
            Route(
                .delete, "/v1/organization/deletion", needsConfirmation: true, .member(.owner, cancelDeletion)),

            Route(.get, "/v1/members", query: Route.countedPage, .member(.viewer, listMembers)),
            Route(.patch, "/v1/members/{id}", needsConfirmation: true, .member(.admin, changeMember)),
            Route(
                .delete, "/v1/members/{id}", needsConfirmation: true, reach: .handler, .member(.viewer, removeMember)),
            Route(.get, "/v1/tokens", query: Route.countedPage, .member(.admin, listTokens)),
            Route(.post, "/v1/tokens", needsConfirmation: true, .member(.admin, createToken)),
            Route(.get, "/v1/tokens/{id}", .member(.admin, showToken)),
            Route(.delete, "/v1/tokens/{id}", needsConfirmation: true, .member(.admin, revokeToken)),
            Route(.post, "/v1/tokens/{id}/rotations", needsConfirmation: true, .member(.admin, rotateToken)),

            Route(.get, "/v1/trusts", query: Route.countedPage, .member(.admin, listTrusts)),
            Route(.post, "/v1/trusts", needsConfirmation: true, .member(.admin, createTrust)),
            Route(.get, "/v1/trusts/{id}", .member(.admin, showTrust)),
            Route(.patch, "/v1/trusts/{id}", needsConfirmation: true, .member(.admin, changeTrust)),
            Route(.delete, "/v1/trusts/{id}", needsConfirmation: true, .member(.admin, deleteTrust)),
            Route(.post, "/v1/token-exchanges", bodyLimit: 32_768, .exchange(exchangeToken)),

            Route(
                .get, "/v1/events",
                query: Route.page
                    + ["after", "kind", "host", "actor", "since", "until", "act", "grouped", "sort", "wait"],
                repeatable: ["kind"], .member(.viewer, listEvents)),
            Route(
                .get, "/v1/audit",
                query: Route.page + [
                    "kind", "host", "actor", "since", "until", "act", "request", "position", "grouped",
                ],
                repeatable: ["kind"], .member(.admin, listAuditEntries)),
            Route(.get, "/v1/audit/export", query: ["after"], .member(.admin, exportAuditTrail)),

            Route(.get, "/v1/teams", query: Route.countedPage, .member(.viewer, listTeams)),
            Route(.post, "/v1/teams", .member(.editor, createTeam)),
            Route(.get, "/v1/teams/{teamID}", isBrief: true, .member(.viewer, showTeam)),
            Route(.patch, "/v1/teams/{teamID}", .member(.editor, changeTeam)),
            Route(.delete, "/v1/teams/{teamID}", .member(.editor, deleteTeam)),

            Route(.get, "/v1/apps", query: Route.countedPage + ["q"], .member(.viewer, listApps)),
            Route(.post, "/v1/apps", .member(.editor, createApp)),
            Route(.get, "/v1/apps/{appID}", isBrief: true, .member(.viewer, showApp)),
            Route(.patch, "/v1/apps/{appID}", .member(.editor, changeApp)),
            Route(.delete, "/v1/apps/{appID}", .member(.editor, deleteApp)),

            Route(.get, "/v1/apps/{appID}/domains", query: Route.page + ["q"], .member(.viewer, listAppDomains)),
            Route(.get, "/v1/apps/{appID}/replacements", query: Route.countedPage, .member(.viewer, listReplacements)),
            Route(
                .post, "/v1/apps/{appID}/replacements", bodyLimit: 8 << 20, .member(.editor, createReplacement)),
            Route(.get, "/v1/apps/{appID}/replacements/{id}", .member(.viewer, showReplacement)),

            Route(
                .get, "/v1/domains",
                query: Route.page + ["q", "host", "label", "state", "publication", "problem", "sort", "counts"],
                repeatable: ["host"], .member(.viewer, listDomains)),
            Route(.post, "/v1/domains", .member(.editor, createDomain)),
            Route(.get, "/v1/labels", query: Route.page + ["q"], .member(.viewer, listLabels)),
            Route(.get, "/v1/domains/{host}", .member(.viewer, showDomain)),
            Route(.patch, "/v1/domains/{host}", reach: .organization, .member(.editor, changeDomain)),
            Route(.delete, "/v1/domains/{host}", reach: .organization, .member(.editor, deleteDomain)),
            Route(.post, "/v1/domains/{host}/verifications", .member(.publisher, verifyDomain)),

            Route(.get, "/v1/domains/{host}/draft", .member(.viewer, showDraft)),
            Route(.put, "/v1/domains/{host}/draft", .member(.editor, replaceDraft)),
            Route(.post, "/v1/domains/{host}/draft/resets", .member(.editor, resetDraft)),
            Route(.get, "/v1/domains/{host}/draft/file", .member(.viewer, showDraftFile)),
            Route(.get, "/v1/domains/{host}/draft/findings", .member(.viewer, showDraftFindings)),
            Route(
                .get, "/v1/domains/{host}/draft/diff", query: ["from", "os"], repeatable: ["os"],
                .member(.viewer, compareDraft)),
            Route(.get, "/v1/domains/{host}/rules", .member(.viewer, listRules)),
            Route(.post, "/v1/domains/{host}/rules", .member(.editor, createRule)),
            Route(.get, "/v1/domains/{host}/rules/{id}", .member(.viewer, showRule)),
            Route(.patch, "/v1/domains/{host}/rules/{id}", .member(.editor, changeRule)),
            Route(.delete, "/v1/domains/{host}/rules/{id}", .member(.editor, deleteRule)),
            Route(
                .post, "/v1/domains/{host}/import", query: ["register"], reach: .handler, .member(.editor, importFile)),
            Route(
                .post, "/v1/domains/{host}/evaluations", query: ["explain"], bodyLimit: 16 << 20, mayChange: false,
                .member(.viewer, evaluate)),

            Route(.get, "/v1/domains/{host}/tests", query: Route.countedPage + ["format"], .member(.viewer, listTests)),
            Route(.post, "/v1/domains/{host}/tests", .member(.editor, createTest)),
            Route(.get, "/v1/domains/{host}/tests/{id}", .member(.viewer, showTest)),
            Route(.patch, "/v1/domains/{host}/tests/{id}", .member(.editor, changeTest)),
            Route(.delete, "/v1/domains/{host}/tests/{id}", .member(.editor, deleteTest)),
            Route(
                .post, "/v1/domains/{host}/test-imports", query: ["replace"], bodyLimit: 8 << 20,
                .member(.editor, importTests)),
            Route(.post, "/v1/domains/{host}/test-runs", mayChange: false, .member(.viewer, runTests)),

            Route(.get, "/v1/domains/{host}/versions", query: Route.countedPage, .member(.viewer, listVersions)),
            Route(.post, "/v1/domains/{host}/versions", .member(.publisher, createVersion)),
            Route(.get, "/v1/domains/{host}/versions/{number}", .member(.viewer, showVersion)),
            Route(.get, "/v1/domains/{host}/versions/{number}/file", .member(.viewer, showVersionFile)),
            Route(
                .get, "/v1/domains/{host}/versions/{number}/diff", query: ["from", "os"], repeatable: ["os"],
                .member(.viewer, compareVersion)),
            Route(.get, "/v1/domains/{host}/serving", .member(.viewer, showServing)),
            Route(.get, "/v1/domains/{host}/snippets", .member(.viewer, listSnippets)),
            Route(.get, "/v1/domains/{host}/snippets/{kind}", .member(.viewer, showSnippet)),
            Route(.get, "/v1/effective-by", query: ["time"], .member(.viewer, showEffectiveBy)),
            Route(
                .get, "/v1/publications", query: Route.countedPage + ["state"], .member(.viewer, listAllPublications)),
            Route(
                .get, "/v1/domains/{host}/publications", query: Route.countedPage + ["state"],
                .member(.viewer, listPublications)),
            Route(.post, "/v1/domains/{host}/publications", query: ["wait"], .member(.publisher, createPublication)),
            Route(
                .post, "/v1/domains/{host}/publication-previews", mayChange: false, .member(.viewer, previewPublication)
            ),
            Route(.post, "/v1/domains/{host}/publication-checks", mayChange: false, .member(.viewer, checkPublication)),
            Route(.get, "/v1/domains/{host}/publications/{id}", query: ["wait"], .member(.viewer, showPublication)),
            Route(
                .delete, "/v1/domains/{host}/publications/{id}",
                .member(.publisher, cancelPublication)),

            Route(.get, "/v1/releases", query: Route.countedPage + ["state", "host"], .member(.viewer, listReleases)),
            Route(
                .post, "/v1/releases", query: ["dryRun"], bodyLimit: 8 << 20, reach: .handler,
                .member(.publisher, createRelease)),
            Route(
                .post, "/v1/release-previews", bodyLimit: 8 << 20, mayChange: false, .member(.viewer, previewRelease)),
            Route(.get, "/v1/releases/{id}", .member(.viewer, showRelease)),
            Route(.delete, "/v1/releases/{id}", reach: .handler, .member(.publisher, cancelRelease)),
            Route(
                .get, "/v1/releases/{id}/domains", query: Route.countedPage + ["state"],
                .member(.viewer, listReleaseDomains)),
            Route(.post, "/v1/releases/{id}/rollbacks", reach: .handler, .member(.publisher, createRollback)),

            Route(.get, "/v1/approval-policies", query: Route.countedPage, .member(.viewer, listApprovalPolicies)),
            Route(.post, "/v1/approval-policies", needsConfirmation: true, .member(.owner, createApprovalPolicy)),
            Route(.get, "/v1/approval-policies/{id}", .member(.viewer, showApprovalPolicy)),
            Route(.patch, "/v1/approval-policies/{id}", needsConfirmation: true, .member(.owner, changeApprovalPolicy)),
            Route(
                .delete, "/v1/approval-policies/{id}", needsConfirmation: true, .member(.owner, deleteApprovalPolicy)),
            Route(
                .get, "/v1/approval-requests", query: Route.countedPage + ["state", "host"],
                .member(.viewer, listApprovalRequests)),
            Route(.post, "/v1/approval-requests", reach: .handler, .member(.editor, requestApproval)),
            Route(.get, "/v1/approval-requests/{id}", .member(.viewer, showApprovalRequest)),
            Route(.delete, "/v1/approval-requests/{id}", reach: .handler, .member(.editor, cancelApprovalRequest)),
            Route(
                .post, "/v1/approval-requests/{id}/comments", reach: .handler,
                .member(.editor, commentOnApprovalRequest)),
            Route(
                .post, "/v1/approval-requests/{id}/approvals", needsSession: true, reach: .handler,
                .member(.publisher, giveApproval)),
            Route(
                .post, "/v1/approval-requests/{id}/rejections", needsSession: true,
                reach: .handler, .member(.publisher, rejectApprovalRequest)),

            Route(.get, "/v1/domains/{host}/withdrawals", query: Route.countedPage, .member(.viewer, listWithdrawals)),
            Route(.post, "/v1/domains/{host}/withdrawals", .member(.admin, createWithdrawal)),
            Route(.get, "/v1/domains/{host}/withdrawals/{id}", .member(.viewer, showWithdrawal)),
            Route(.delete, "/v1/domains/{host}/withdrawals/{id}", .member(.admin, cancelWithdrawal)),

            Route(.get, "/v1/schedules", query: Route.countedPage + ["host"], .member(.viewer, listSchedules)),
            Route(.post, "/v1/schedules", reach: .handler, .member(.publisher, createSchedule)),
            Route(.post, "/v1/schedule-previews", mayChange: false, .member(.viewer, previewSchedule)),
            Route(
                .get, "/v1/schedule-calendar", query: Route.page + ["from", "days", "zone"],
                .member(.viewer, showScheduleCalendar)),
            Route(.get, "/v1/schedules/{id}", .member(.viewer, showSchedule)),
            Route(.patch, "/v1/schedules/{id}", reach: .handler, .member(.publisher, changeSchedule)),
            Route(.delete, "/v1/schedules/{id}", reach: .handler, .member(.publisher, deleteSchedule)),
            Route(
                .get, "/v1/schedules/{id}/runs", query: Route.countedPage + ["from", "until"],
                .member(.viewer, listRuns)),
            Route(.post, "/v1/schedules/{id}/runs", reach: .handler, .member(.publisher, createRun)),
            Route(.get, "/v1/schedules/{id}/runs/{run}", .member(.viewer, showRun)),
            Route(
                .get, "/v1/schedules/{id}/runs/{run}/outcomes", query: Route.countedPage, .member(.viewer, listOutcomes)
            ),
            Route(.get, "/v1/freezes", query: Route.countedPage + ["state"], .member(.viewer, listFreezes)),
            Route(.post, "/v1/freezes", reach: .handler, .member(.publisher, createFreeze)),
            Route(.get, "/v1/freezes/{id}", .member(.viewer, showFreeze)),
            Route(.delete, "/v1/freezes/{id}", reach: .handler, .member(.publisher, liftFreeze)),

            Route(.get, "/internal/manifest", query: ["wait"], .consumer(showManifest)),
            Route(.post, "/internal/blobs", .consumer(showBlobs)),
            Route(.get, "/internal/blobs/{sha256}", .consumer(showBlob)),
            Route(.post, "/internal/reports", .consumer(takeReport)),
        ]
    }
}
