import { createRunningCommands } from "./running-commands.ts"

/** Started by the guard of a service that is gone: ends the commands that it left. */
const [directory, service] = process.argv.slice(2)
if (directory !== undefined && service !== undefined) await createRunningCommands(directory).reap(service)
