import { checkCommands } from "./check-commands.ts"
import { createProgram } from "./create-program.ts"
import { outputFailure } from "./output-failure.ts"

// The parent process that opened the channel was killed, so it could not pass a signal on.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))

const outputLost = outputFailure([process.stdout, process.stderr])

// Drops a leading `--`: users of npm scripts often type it here too.
const words = process.argv.slice(process.argv[2] === "--" ? 3 : 2)
const program = createProgram(outputLost)
checkCommands(program, words)
await program.parseAsync(words, { from: "user" })
