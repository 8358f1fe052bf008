import { once } from "node:events"
import { keepCompiledCode } from "./keep-compiled-code.js"

keepCompiledCode()
// The command line sends the operation through a channel, because others on the machine can see arguments.
const [operation] = await once(process, "message")
const { runOperation } = await import("./operate.js")
process.exit(await runOperation(operation))
