import { DocketError } from "@docket/core"
import { type CommandLine, OptionError, readOptions } from "./command-line.js"

export type { ServiceOptions } from "./command-line.js"

/** What a person calls to start the service, as its help says. */
export const program = "docket serve"

/** Reads the command line. @throws invalid_input, unsafe_bind */
export function parseOptions(args: string[], cwd: string): CommandLine {
  try {
    return readOptions(args, cwd, program)
  } catch (error) {
    throw error instanceof OptionError ? new DocketError(error.code, error.message, { cause: error }) : error
  }
}
