import Testing

@testable import ObjectStore

@Suite("Listings")
struct ListingReaderTests {
    private func listing(_ text: String) -> ObjectListing? { ListingReader(Array(text.utf8)).listing() }

    @Test("a page has keys with the mark of their last write, and the token of the next page")
    func page() {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix>a&amp;lt;</Prefix>
            <IsTruncated>true</IsTruncated><NextContinuationToken>1/x=</NextContinuationToken>
            <Contents><Key>a&amp;lt;/1</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>
            <ETag>&quot;e1&quot;</ETag><Size>3</Size></Contents>
            <Contents><Key>b</Key><LastModified>2026-01-01T00:00:01.000Z</LastModified><ETag>"e2"</ETag></Contents>
            </ListBucketResult>
            """
        #expect(
            listing(text)
                == ObjectListing(
                    entries: [
                        .init(key: "a&lt;/1", mark: "\"e1\" 2026-01-01T00:00:00.000Z"),
                        .init(key: "b", mark: "\"e2\" 2026-01-01T00:00:01.000Z"),
                    ], next: "1/x="))
    }

    @Test("the last page has no token for another one")
    func lastPage() {
        let text = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"
        #expect(listing(text) == ObjectListing(entries: [], next: nil))
    }

    @Test(
        "an incomplete page is refused, so that an unlisted object is not taken for deleted",
        arguments: [
            "", "<html>hello</html>", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
            "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>", "<ListBucketResult><Contents>",
        ])
    func broken(text: String) {
        #expect(listing(text) == nil)
    }
}
