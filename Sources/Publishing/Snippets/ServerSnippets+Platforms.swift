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
            place: "In DistributionConfig of the AWS::CloudFront::Distribution. Put the behaviors before all others.",
            text: text,
            notes: [
                """
                Do not add an origin request policy that sends the viewer's Host. The edge expects its own name as \
                Host and the website's host in the origin's path.
                """,
                """
                CustomErrorResponses apply to every behavior. One that turns 404 or 403 into a page with status 200 \
                does so for these paths too.
                """,
                """
                The origin's path names one host, and other hosts of the same distribution get the same file. That is \
                right for an alias. Give any other host its own distribution.
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
                  // Devices try again after a 503. A 404 or a redirect would remove the association.
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
                Redirect rules, page rules, Always Use HTTPS, Bot Fight Mode and the firewall come before a Worker. \
                Exclude these two paths from them. The zone's error pages and cache rules also apply to the Worker's \
                answers.
                """,
                """
                Set the routes to "fail closed". With "fail open", requests over a limit go to the website, which \
                answers 404.
                """,
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
            name: "Vercel", place: "In vercel.json at the root of the project. Put the rewrites before all others.",
            text: text,
            notes: [
                """
                Vercel's documentation says that /.well-known is reserved and cannot be rewritten. If the check below \
                does not show Waymark-Version, add a route at that path in the project's framework. It must forward \
                the request to the destination and return its status, headers and body.
                """,
                "Delete any file at these paths from the project. Files come before rewrites.",
                """
                The project's redirects and middleware come before rewrites. Exclude these two paths from them. In the \
                project's settings, \(host) must not redirect to another domain.
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
                "Rules in a _redirects file come before those in netlify.toml. A `/*` there matches these paths first.",
                """
                Netlify redirects every other name to the site's primary domain. So \(host) must be the primary domain \
                of its site.
                """,
            ])
    }

    private func javaScript(_ texts: [String]) -> String {
        "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
}
