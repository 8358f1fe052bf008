import { enableCompileCache, registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import { resolveSource } from "./resolve-source.js"

// Before anything else is loaded: the second start then reads compiled code instead of source. This file is JavaScript
// because it is read without that cache: for one with types, Node loads its compiler, which keeps 16 MiB.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/docket-compile", import.meta.url)))
const hooks = registerHooks({ resolve: resolveSource })
const { serveUntilStopped } = await import("./serve-until-stopped.ts")
hooks.deregister()
process.exit(await serveUntilStopped(process.argv.slice(2)))
