import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import path from "node:path"
import type { NextConfig } from "next"

// No figures about this installation leave it.
process.env.NEXT_TELEMETRY_DISABLED = "1"

/** What the web app is made of. */
const sources = ["src", "next.config.ts", "package.json", "../../pnpm-lock.yaml"].concat(
  ["api", "client", "core"].map((name) => `../../packages/${name}/src`),
)

/** The same for all builds of the same sources, so that a page may come from one node and the next page from another. */
function buildId(): string {
  const hash = createHash("sha256")
  for (const source of sources) {
    const place = path.join(import.meta.dirname, source)
    const files = statSync(place).isDirectory()
      ? readdirSync(place, { recursive: true, encoding: "utf8" }).sort()
      : [""]
    for (const file of files) {
      const real = path.join(place, file)
      if (statSync(real).isFile()) hash.update(`${file}\0`).update(readFileSync(real))
    }
  }
  return hash.digest("hex").slice(0, 20)
}

const config: NextConfig = {
  generateBuildId: buildId,
  // Collects what pages need at run time, for the package that is installed without a checkout.
  output: "standalone",
  outputFileTracingRoot: path.join(import.meta.dirname, "../.."),
  // Workspace packages are TypeScript source.
  transpilePackages: ["@docket/api", "@docket/client", "@docket/core"],
  // Next's own check needs the JavaScript compiler API, which TypeScript 7 does not have. `tsc -p .` checks.
  typescript: { ignoreBuildErrors: true },
  // The client brings an EventSource for Node; a browser has its own.
  turbopack: { resolveAlias: { eventsource: { browser: "./src/shell/browser-event-source.ts" } } },
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  experimental: {
    // Writing this cache takes a third of a build, and the next build is no faster.
    turbopackFileSystemCacheForBuild: false,
    optimizePackageImports: ["@mantine/core", "@mantine/hooks", "lucide-react"],
    // Shared pages load no styles of the app: small style sheets for few pages, at the price of more requests.
    cssChunking: { type: "graph", requestCost: 20_000, weightDistribution: 0.8 },
  },
}

export default config
