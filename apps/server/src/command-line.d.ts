export interface ServiceOptions {
  /** Absolute directories of the projects to open; the first is the one to start in. */
  projects: string[]
  /** 0 takes any free port. */
  port: number
  host: string
  /** Absolute path of the data directory. */
  data: string
  web: boolean
  /** Lets the configuration of the projects count as it is now. */
  trust: boolean
  /** Settings above those of all files: absolute files, or JSON. */
  config?: string[]
}

export interface CommandLine extends ServiceOptions {
  json: boolean
  help: boolean
}

/** What is wrong with the options, and what to give instead. */
export class OptionError extends Error {
  code: "invalid_input" | "unsafe_bind" | "project_directory_missing" | "store_unavailable"
}

/** `program` is what was called, e.g. `docket serve`. */
export function usage(program: string): string

/** Reads the command line. @throws OptionError invalid_input, unsafe_bind */
export function readOptions(args: string[], cwd: string, program: string): CommandLine
