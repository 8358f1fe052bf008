import { createProgram } from "./create-program.ts"
import { outputFailure } from "./output-failure.ts"

// The parent process that opened the channel was killed, so it could not pass a signal on.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))

const unwritten = outputFailure([process.stdout, process.stderr])

// Users often type npm's own `--` here too.
await createProgram(unwritten).parseAsync(process.argv.filter((argument, at) => at !== 2 || argument !== "--"))
