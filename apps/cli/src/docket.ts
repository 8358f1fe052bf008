import { createProgram } from "./create-program.ts"
import { outputFailure } from "./output-failure.ts"

// Who started us with a channel was killed: it could not pass a signal on.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))

const unwritten = outputFailure([process.stdout, process.stderr])

// npm's own `--` is often typed here too.
await createProgram(unwritten).parseAsync(process.argv.filter((argument, at) => at !== 2 || argument !== "--"))
