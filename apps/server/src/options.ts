import { DocketError } from "@docket/core"
import { type CommandLine, OptionError, readOptions } from "./command-line.js"
import { env, processEnv } from "./env.ts"

export type { ReachOptions, ServiceOptions, TlsFiles } from "./command-line.js"
export { needsTeam } from "./command-line.js"

/** The command that starts the service, for its help text. */
export const program = "docket serve"

/** Reads the command line. @throws invalid_input, unsafe_bind */
export function parseOptions(args: string[], cwd: string): CommandLine {
  try {
    return readOptions(args, cwd, program, { ...processEnv, DOCKET_SECRET_KEY: env.DOCKET_SECRET_KEY })
  } catch (error) {
    throw error instanceof OptionError ? new DocketError(error.code, error.message, { cause: error }) : error
  }
}
