import { once } from "node:events"
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// Like main.js: plain JavaScript, so that the next call reads compiled code.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/docket-compile", import.meta.url)))
// The command line sends the operation through a channel, because others on the machine can see arguments.
const [operation] = await once(process, "message")
const { runOperation } = await import("./operate/run-operation.ts")
process.exit(await runOperation(operation))
