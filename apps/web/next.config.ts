import path from "node:path"
import type { NextConfig } from "next"

// No figures about this installation leave it.
process.env.NEXT_TELEMETRY_DISABLED = "1"

const config: NextConfig = {
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
