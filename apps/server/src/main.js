import { enableCompileCache, registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import { resolveSource } from "./resolve-source.js"

// Before anything else is loaded, so that the second start reads compiled code instead of source. This file itself is
// read without that cache. It is plain JavaScript because loading Node's compiler for types takes 16 MiB.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/docket-compile", import.meta.url)))
const hooks = registerHooks({ resolve: resolveSource })
const { serveUntilStopped } = await import("./serve-until-stopped.ts")
hooks.deregister()
process.exit(await serveUntilStopped(process.argv.slice(2)))
