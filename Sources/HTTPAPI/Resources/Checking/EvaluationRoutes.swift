import AASA
import FoundationEssentials
import HTTPTypes
import SignedFile
import Storage
import StrictJSON
import Timing

/// Evaluates URLs: which app opens each of them, and why. The file is a domain's draft, its live file, one of its
/// versions, or a posted file. The public validator uses these routes too.
extension API {
    func lint(_ call: Call) async throws -> Answer {
        .json(ServedFile.lint(call.body).json)
    }

    func evaluatePosted(_ call: Call) async throws -> Answer {
        let explains = try call.flag("explain")
        let asked = try call.decode { PostedQuestion(reader: $0, explains: explains) }
        return .json(bytes: try evaluations(of: FileContents(Association(uploaded: asked.file)), asked.question))
    }

    func evaluate(_ call: Call, _ member: Member) async throws -> Answer {
        let host = try call.host()
        let explains = try call.flag("explain")
        let asked = try call.decode { reader -> (source: Source, question: Question)? in
            let source = reader.optional("source", .source, default: .draft)
            guard let question = Question(reader: reader, explains: explains) else { return nil }
            return (source, question)
        }
        let fields = try rates.countEvaluations(asked.question.urls.count, of: member.organization)
        let subject = try await read(as: member) { tenant in
            try Subject(asked.source, of: host, in: tenant)
        }
        return Answer.json(
            bytes: try evaluations(
                of: subject.file, asked.question, from: asked.source, on: host, draft: subject.draft)
        ).with(fields)
    }

    /// Creates the response, and encodes the result of each URL immediately. All results as JSON values would need
    /// several times the memory.
    private func evaluations(
        of file: FileContents, _ question: Question, from source: Source? = nil, on host: Host? = nil,
        draft: Draft? = nil
    ) throws -> [UInt8] {
        // Limit the processor time instead of the elapsed time, so that a busy machine does not cause refusals.
        let end = ThreadTime.now + settings.evaluationBudget
        let mayContinue = { !Task.isCancelled && ThreadTime.now < end }
        let decides = evaluator(
            of: file.compiled(for: question.system), question, domain: question.domain ?? host?.description,
            while: mayContinue)
        var answer = Array("{".utf8)
        if let source { answer += Array("\"source\":".utf8) + source.json.bytes() + Array(",".utf8) }
        answer += Array("\"evaluations\":[".utf8)
        for (place, url) in question.urls.enumerated() {
            try Task.checkCancellation()
            guard mayContinue(), answer.count < Question.longestAnswer else { throw APIError.evaluationBudgetExceeded }
            if place > 0 { answer.append(UInt8(ascii: ",")) }
            answer += TypedURL.evaluation(of: url, decides).json(draft: draft).bytes()
        }
        return answer + Array("]}".utf8)
    }

    /// Returns the function that evaluates each URL. For at most ``Question/maximumExplainedURLs`` URLs, results
    /// include the certainty and, if requested, the trace. For more URLs, they contain only outcomes.
    private func evaluator(
        of file: CompiledFile, _ question: Question, domain: String?, while mayContinue: @escaping () -> Bool
    ) -> (String) -> Evaluation {
        guard question.urls.count <= Question.maximumExplainedURLs else {
            var decider = Decider()
            return { file.compiled.evaluate($0, entitlementDomain: domain, by: &decider) }
        }
        let explainer = Explainer(file)
        let domains = domain.map { [$0] } ?? []
        return {
            explainer.evaluate(
                $0, entitlementDomains: domains, explaining: question.explains ? .allApps : .nothing, while: mayContinue
            )
        }
    }
}

extension APIError {
    fileprivate static let evaluationBudgetExceeded = APIError(
        .unprocessableContent, "budget_exceeded",
        "These URLs need more time, or a longer answer, than one call may have. Send fewer URLs at a time.")
}

/// The request: the URLs, the system, and the domain in the app's entitlement.
private struct Question: Sendable {
    /// The maximum number of URLs that one call explains.
    static let maximumExplainedURLs = 50
    /// The size of a response after which no further URL is evaluated, in bytes.
    static let longestAnswer = 16 << 20

    let urls: [String]
    let system: SystemVersion
    let explains: Bool
    /// The entitlement's domain, such as `*.example.com`, or `nil` for any host.
    var domain: String?

    init?(reader: JSONObjectReader, explains: Bool) {
        self.explains = explains
        system = reader.optional("os", .choice(of: SystemVersion.self), default: .latest)
        guard let urls = reader.required("urls", .array(of: .text(min: 1, max: 8_192), max: 10_000)) else { return nil }
        if urls.isEmpty { reader.fault("urls", "too_few", "name at least one URL") }
        if explains, urls.count > Self.maximumExplainedURLs {
            reader.fault(
                "urls", "too_many", "with explain=true, a call can have at most \(Self.maximumExplainedURLs) URLs")
        }
        self.urls = urls
    }
}

private struct PostedQuestion: Sendable {
    let file: [UInt8]
    let question: Question

    init?(reader: JSONObjectReader, explains: Bool) {
        let text = reader.optional("aasa", .text(max: Association.longestText)).map { Array($0.utf8) }
        let decoded = reader.optional("aasaBase64", .text(as: Base64.decode))
        let domain = reader.optional("domain", .entitlement)
        let question = Question(reader: reader, explains: explains)
        if reader.has("aasa") == reader.has("aasaBase64") {
            reader.fault("aasa", "required", "send the file either as `aasa` or as `aasaBase64`")
        }
        guard let file = text ?? decoded, var question else { return nil }
        question.domain = domain
        self.file = file
        self.question = question
    }
}

extension JSONShape where Value == String {
    /// An entitlement's domain, in ASCII or Unicode.
    fileprivate static var entitlement: JSONShape<String> {
        .text(as: { (text: String) throws(UnusableHost) in try TypedURL.checked(entitlement: text) })
    }
}

private enum Base64 {
    struct Invalid: JSONFaultReason {
        var code: String { "invalid_base64" }
        var detail: String { "must be base64 (RFC 4648, section 4) of at most \(Association.longestText) bytes" }
    }

    static func decode(_ text: String) throws(Invalid) -> [UInt8] {
        guard let data = Data(base64Encoded: text), data.count <= Association.longestText else { throw Invalid() }
        return Array(data)
    }
}

enum Source: Sendable {
    case draft
    case live
    case version(Int)

    var json: JSONValue {
        switch self {
        case .draft: "draft"
        case .live: "live"
        case .version(let number): .int(number)
        }
    }
}

extension JSONShape where Value == Source {
    static var source: JSONShape<Source> {
        JSONShape<Source> { value, pointer, faults in
            if value == "draft" { return .draft }
            if value == "live" { return .live }
            if let number = value.int, number >= 1 { return .version(number) }
            faults.add(pointer, "invalid_choice", "must be \"draft\", \"live\" or a version number")
            return nil
        }
    }
}

/// The file to evaluate.
struct Subject: Sendable {
    let file: FileContents
    var draft: Draft?

    init(_ source: Source, of host: Host, in tenant: TenantTransaction) throws {
        switch source {
        case .draft:
            let contents = try tenant.draft(host).contents
            draft = contents.draft
            file = contents.file.contents
        case .live:
            let domain = try tenant.domain(host)
            guard let live = domain.live else { throw APIError.nothingLive(host) }
            let owner = domain.aliasOf ?? host
            file = try tenant.contents(ofVersion: live.version, of: owner) { try Association(uploaded: $0) }
        case .version(let number):
            file = try tenant.contents(ofVersion: number, of: host) { try Association(uploaded: $0) }
        }
    }
}

extension Evaluation {
    /// The evaluation as JSON. If `draft` is given, each verdict also contains the draft's rule that decided.
    fileprivate func json(draft: Draft?) -> JSONValue {
        guard let draft, var answer = json.object else { return json }
        let elements = draft.entriesOfElements
        answer["apps"] = .array(
            apps.map { verdict in
                var object = verdict.json.object ?? JSONObject()
                object["rule"] = .text(verdict.decidedBy.flatMap { draft.place(at: $0, among: elements)?.rule?.id })
                return .object(object)
            })
        return .object(answer)
    }
}
