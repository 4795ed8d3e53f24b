import Foundation
import Testing

@testable import Postgres

@Suite("The settings of a connection") struct ConfigurationTests {
    @Test(
        "settings are read from a URL and from keywords",
        arguments: [
            "postgres://user:s3cret@db.example:5433/waymark?sslmode=require",
            "host=db.example port=5433 dbname=waymark user=user password=s3cret sslmode=require",
        ])
    func forms(url: String) throws {
        let configuration = try PostgresConfiguration(url: url)
        #expect(configuration.description == "host=db.example port=5433 dbname=waymark user=user")
        #expect(configuration.connectionKeywords["password"] == "s3cret")
        #expect(configuration.connectionKeywords["sslmode"] == "require")
        #expect(configuration.connectionKeywords["options"]?.contains("TimeZone=UTC") == true)
    }

    @Test("a configuration never shows the password")
    func password() throws {
        let configuration = try PostgresConfiguration(url: "postgres://user:s3cret@db.example/waymark")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("s3cret"))
        }
    }

    @Test(
        "impossible settings are refused, and the error does not quote them",
        arguments: ["s3cret word", "nonsense=s3cret", "postgres://[s3cret", "a\0b"])
    func bad(url: String) {
        let error = #expect(throws: PostgresError.self) { try PostgresConfiguration(url: url) }
        #expect(error?.kind == .configuration)
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test("settings in the URL take precedence over ours")
    func given() throws {
        let configuration = try PostgresConfiguration(
            url: "postgres://db.example/x?keepalives_idle=7&application_name=mine&options=-c%20work_mem%3D1MB")
        #expect(configuration.connectionKeywords["keepalives_idle"] == "7")
        #expect(configuration.connectionKeywords["application_name"] == "mine")
        #expect(configuration.connectionKeywords["options"]?.hasPrefix("-c work_mem=1MB -c ") == true)
    }

    @Test("behind a pooler nothing is set for the session")
    func pooled() throws {
        var configuration = try PostgresConfiguration(url: "postgres://db.example/x")
        configuration.isPooled = true
        #expect(configuration.connectionKeywords["options"] == nil)
    }
}
