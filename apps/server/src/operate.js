import { once } from "node:events"
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// As main.js does: read without its types being stripped, so that the next call reads compiled code.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/docket-compile", import.meta.url)))
// Asked by the command line, through a channel: what it says is no argument that others on the machine see.
const [operation] = await once(process, "message")
const { runOperation } = await import("./operate/run-operation.ts")
process.exit(await runOperation(operation))
