import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// Before anything else is loaded: the second start then reads compiled code instead of source.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/docket-compile", import.meta.url)))
const { serveUntilStopped } = await import("./serve-until-stopped.ts")
process.exit(await serveUntilStopped(process.argv.slice(2)))
