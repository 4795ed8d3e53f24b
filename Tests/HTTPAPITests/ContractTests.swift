import Foundation
import HTTPTypes
import Publishing
import Storage
import StrictJSON
import Testing

@testable import HTTPAPI

/// The contract and the route table agree.
@Suite("Contract")
struct ContractTests {
    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    private struct Operation: Hashable {
        let name: String
        let right: String?
        let bodyLimit: Int?
        let budget: RouteBudget
    }

    private func api() throws -> API { try APIUnderTest(store: unreachableStore()).api }

    private func contract() throws -> JSONValue {
        try Contract(directory: APIUnderTest.repository.appending(path: "contract").path()).document
    }

    private func operations(_ contract: JSONValue) throws -> [(path: String, method: String, value: JSONValue)] {
        let paths = try #require(contract["paths"]?.object)
        return paths.members.flatMap { path in
            (path.value.object?.members ?? []).filter { Self.methods.contains($0.name) }
                .map { (path.name, $0.name, $0.value) }
        }
    }

    @Test("the contract and the route table have the same operations, rights, body limits and budgets")
    func same() throws {
        let contract = try contract()
        let described = try operations(contract).map { path, method, value in
            Operation(
                name: "\(method.uppercased()) \(path)", right: value["x-right"]?.string,
                bodyLimit: value["x-body-limit"]?.int,
                budget: try #require(budget(value["x-budget"] ?? contract["x-usual-budget"])))
        }
        let routed = try api().routes.map { route in
            Operation(
                name: "\(route.method.rawValue) \(route.path)", right: route.right,
                bodyLimit: route.bodyLimit == Route.usualBodyLimit ? nil : route.bodyLimit, budget: route.budget)
        }
        #expect(routed.count > 40)
        #expect(Set(routed).count == routed.count, "a route appears twice")
        #expect(
            Set(described).subtracting(routed).map(\.name) == [],
            "in the contract, and not in the table or different there")
        #expect(
            Set(routed).subtracting(described).map(\.name) == [],
            "in the table, and not in the contract or different there")
    }

    private func budget(_ value: JSONValue?) -> RouteBudget? {
        guard let processor = value?["processorMilliseconds"]?.int, let memory = value?["memoryBytes"]?.int,
            let time = value?["milliseconds"]?.int
        else { return nil }
        return RouteBudget(processor: processor, memory: memory, time: time)
    }

    @Test("the contract and the route table have the same query parameters")
    func query() throws {
        let contract = try contract()
        var described: [String: Set<String>] = [:]
        for (path, method, operation) in try operations(contract) {
            let ofPath = contract["paths"]?[path]?["parameters"]?.array ?? []
            let parameters = try (ofPath + (operation["parameters"]?.array ?? [])).map {
                try resolved($0, in: contract)
            }
            described["\(method.uppercased()) \(path)"] = Set(
                parameters.filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string })
        }
        for route in try api().routes {
            let name = "\(route.method.rawValue) \(route.path)"
            #expect(described[name] == Set(route.query), "\(name)")
        }
    }

    @Test("the contract, docs/events.md and the dashboard have all kinds of events")
    func eventKinds() throws {
        let kinds = EventKind.allCases.map(\.rawValue)
        let schema = try contract()["components"]?["schemas"]?["EventKind"]
        #expect(schema?["enum"]?.array?.compactMap(\.string) == kinds)
        func text(_ path: String) throws -> String {
            try String(contentsOf: APIUnderTest.repository.appending(path: path), encoding: .utf8)
        }
        #expect(try text("docs/events.md").matches(of: /\n\| `([a-z_.]+)` \|/).map { String($0.1) } == kinds)
        let words = try text("public/scripts/pages/events/event-words.js")
        #expect(words.matches(of: /\n    "([a-z_.]+)":/).map { String($0.1) } == kinds)
        let things = try text("public/scripts/pages/events/event-kinds.js")
        #expect(Set(things.matches(of: /"([a-z]+)"/).map(\.1)).isSuperset(of: EventKind.allCases.map(\.thing)))
    }

    @Test("every operation has the right security schemes and a unique ID")
    func security() throws {
        let expected: [String: Set<String>] = [
            "anyone": [], "consumer": ["consumer"], "caller": ["token", "session"],
        ]
        let forPeople = Set(
            try api().routes.filter(\.needsSession).map { "\($0.method.rawValue.lowercased()) \($0.path)" })
        var identifiers: [String] = []
        for (path, method, operation) in try operations(try contract()) {
            let right = try #require(operation["x-right"]?.string)
            let schemes = try #require(operation["security"]?.array, "\(method) \(path)")
            let wanted =
                forPeople.contains("\(method) \(path)") ? ["session"] : expected[right] ?? ["token", "session"]
            #expect(Set(schemes.flatMap { $0.object?.names ?? [] }) == wanted, "\(method) \(path)")
            identifiers.append(try #require(operation["operationId"]?.string))
        }
        #expect(Set(identifiers).count == identifiers.count)
    }

    @Test("every parameter in a path is described, and every reference resolves")
    func parameters() throws {
        let contract = try contract()
        let paths = try #require(contract["paths"]?.object)
        for path in paths.members {
            let inPath = Set(path.name.matches(of: /\{(\w+)\}/).map { String($0.1) })
            let described = try Set(
                (path.value["parameters"]?.array ?? []).compactMap { parameter in
                    let parameter = try resolved(parameter, in: contract)
                    return parameter["in"]?.string == "path" ? parameter["name"]?.string : nil
                })
            #expect(inPath == described, "\(path.name)")
        }
        try checkReferences(contract, in: contract)
    }

    private func resolved(_ value: JSONValue, in contract: JSONValue) throws -> JSONValue {
        guard let reference = value["$ref"]?.string else { return value }
        return try #require(find(reference, in: contract), "\(reference) does not resolve")
    }

    private func find(_ reference: String, in contract: JSONValue) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(contract as JSONValue?) { $0?[String($1)] }
    }

    private func checkReferences(_ value: JSONValue, in contract: JSONValue) throws {
        for member in value.object?.members ?? [] {
            if member.name == "$ref", let reference = member.value.string {
                #expect(find(reference, in: contract) != nil, "\(reference) does not resolve")
            }
            try checkReferences(member.value, in: contract)
        }
        for element in value.array ?? [] { try checkReferences(element, in: contract) }
    }

    @Test("the contract lists the problems of every route", arguments: [401, 403, 503])
    func answers(status: Int) throws {
        for (path, method, operation) in try operations(try contract()) {
            let right = operation["x-right"]?.string ?? ""
            guard right != "anyone", status != 403 || !["caller", "consumer"].contains(right) else { continue }
            if right == "consumer", status == 403 { continue }
            #expect(operation["responses"]?[String(status)] != nil, "\(method) \(path) does not list \(status)")
        }
    }

    @Test("every operation lists 429, except for those that cost nothing")
    func shared() throws {
        let routes = try api().routes.filter { !$0.isProbe }
        let told = try operations(try contract()).filter { $0.value["responses"]?["429"] != nil }
        #expect(
            Set(told.map { "\($0.method.uppercased()) \($0.path)" })
                == Set(routes.map { "\($0.method.rawValue) \($0.path)" }))
    }

    @Test("every problem is a plain reference to Problem with a list of codes, which generated clients can read")
    func problems() throws {
        let contract = try contract()
        let responses = try #require(contract["components"]?["responses"]?.object)
        let problems = responses.members.filter { $0.value["content"]?["application/problem+json"] != nil }
        #expect(problems.count > 30)
        for problem in problems {
            let schema = problem.value["content"]?["application/problem+json"]?["schema"]
            #expect(schema == ["$ref": "#/components/schemas/Problem"], "\(problem.name)")
            let codes = problem.value["x-codes"]?.array?.compactMap(\.string) ?? []
            #expect(!codes.isEmpty && Set(codes).count == codes.count, "\(problem.name)")
        }
        for (path, method, operation) in try operations(contract) {
            for response in operation["responses"]?.object?.members ?? [] where response.name >= "400" {
                #expect(response.value["$ref"] != nil, "\(method) \(path) has an inline problem: \(response.name)")
            }
        }
    }

    @Test("every operation that reads JSON lists 415")
    func mediaTypes() throws {
        for (path, method, operation) in try operations(try contract()) {
            let readsJSON = operation["requestBody"]?["content"]?["application/json"] != nil
            #expect(readsJSON == (operation["responses"]?["415"] != nil), "\(method) \(path)")
        }
    }

    @Test("every operation lists 421, except for internal ones")
    func ownHost() throws {
        let routes = try api().routes.filter { !$0.isProbe && $0.right != "consumer" }
        let told = try operations(try contract()).filter { $0.value["responses"]?["421"] != nil }
        #expect(
            Set(told.map { "\($0.method.uppercased()) \($0.path)" })
                == Set(routes.map { "\($0.method.rawValue) \($0.path)" }))
    }
}
