/// Snippets for hosting platforms.
extension ServerSnippets {
    var cloudfront: Recipe {
        let (protocolPolicy, portName) = edge.isSecure ? ("https-only", "HTTPSPort") : ("http-only", "HTTPPort")
        let behaviors = Self.paths.map { path in
            """
              - PathPattern: \(path)
                TargetOriginId: waymark
                ViewerProtocolPolicy: allow-all
                AllowedMethods: [GET, HEAD]
                CachedMethods: [GET, HEAD]
                Compress: false
                CachePolicyId: 658327ea-f89d-4fab-a63d-7e88639e58f6 # CachingOptimized, managed by AWS
            """
        }
        let text = """
            # Waymark serves the association file of \(host).
            Origins:
              - Id: waymark
                DomainName: \(edge.host)
                OriginPath: /hosts/\(host)
                ConnectionAttempts: 2
                ConnectionTimeout: 2
                CustomOriginConfig:
                  OriginProtocolPolicy: \(protocolPolicy)
                  \(portName): \(edge.effectivePort)
                  OriginSSLProtocols: [TLSv1.2]
                  OriginReadTimeout: 5
            CacheBehaviors:
            \(behaviors.joined(separator: "\n"))

            """
        return Recipe(
            name: "CloudFront",
            place: "In DistributionConfig of the AWS::CloudFront::Distribution, the behaviors before all others.",
            text: text,
            notes: [
                """
                Do not add an origin request policy that sends the viewer's Host: the edge answers to its own name, by the \
                origin's path.
                """,
                """
                CustomErrorResponses hold for every behavior: one that answers 404 or 403 by a page with status 200 would \
                do so here too.
                """,
                """
                The origin's path names one host. Other hosts of the same distribution get this file as well: right for \
                an alias, otherwise give them a distribution of their own.
                """,
            ])
    }

    var cloudflare: Recipe {
        let text = """
            // Waymark serves the association file of \(host).
            const edge = "\(target)";
            const paths = \(javaScript(Self.paths));
            const passedOn = ["If-None-Match", "User-Agent"];

            export default {
              async fetch(request) {
                const { pathname } = new URL(request.url);
                if (!paths.includes(pathname)) return fetch(request);
                const headers = new Headers();
                for (const name of passedOn) {
                  if (request.headers.has(name)) headers.set(name, request.headers.get(name));
                }
                try {
                  const signal = AbortSignal.timeout(5000);
                  return await fetch(edge + pathname, { method: request.method, headers, redirect: "manual", signal });
                } catch {
                  // Asked again, where a 404 or a redirect would end the association.
                  return new Response(null, { status: 503, headers: { "Cache-Control": "no-store", "Retry-After": "5" } });
                }
              },
            };

            """
        return Recipe(
            name: "Cloudflare Workers",
            place: "A Worker on the routes \(Self.paths.map { "\(host)\($0)" }.joined(separator: " and ")).",
            text: text,
            notes: [
                """
                Redirect rules, page rules, Always Use HTTPS, Bot Fight Mode and the firewall come before a Worker: \
                except these two paths from them. Error pages and cache rules of the zone hold for what the Worker \
                answers too.
                """,
                "Let the routes fail closed: with \"fail open\" a limit reached would ask the website, which answers 404.",
            ])
    }

    var vercel: Recipe {
        let rewrites = Self.paths.map { path in
            """
                {
                  "source": "\(path)",
                  "destination": "\(target)\(path)"
                }
            """
        }
        let text = """
            {
              "rewrites": [
            \(rewrites.joined(separator: ",\n"))
              ]
            }

            """
        return Recipe(
            name: "Vercel", place: "In vercel.json at the root of the project, the rewrites before all others.",
            text: text,
            notes: [
                """
                Vercel's documentation calls /.well-known reserved and not to be rewritten. Where the check below does not \
                show Waymark-Version, let a route of the project's framework at that path pass on what the destination \
                answers, with its status and its headers.
                """,
                "Delete a file of that name from the project: files come before rewrites.",
                """
                Redirects and middleware of the project come before rewrites: except these two paths from them. So does \
                a redirect of the domain, in the project's settings: \(host) must not be one that redirects.
                """,
            ])
    }

    var netlify: Recipe {
        let redirects = Self.paths.map { path in
            """
            [[redirects]]
              from = "\(path)"
              to = "\(target)\(path)"
              status = 200
              force = true
            """
        }
        let text = """
            # Waymark serves the association file of \(host).
            \(redirects.joined(separator: "\n\n"))

            """
        return Recipe(
            name: "Netlify", place: "In netlify.toml, before all other redirects.", text: text,
            notes: [
                "The rules of a file _redirects come before those of netlify.toml: a `/*` there would take these paths.",
                """
                Netlify redirects every other name to the site's primary domain: \(host) has to be that domain, or a \
                site of its own.
                """,
            ])
    }

    private func javaScript(_ texts: [String]) -> String {
        "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
}
