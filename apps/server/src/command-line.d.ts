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
  /** How others than this machine come in. */
  reach?: ReachOptions
  /** Where the people of a team reach the service, e.g. `https://docket.example.org`. Without it, this machine only. */
  publicUrl?: string
}

export interface ReachOptions {
  /** Absolute files of a certificate with its chain, and of its key, in PEM. */
  tls: TlsFiles | null
  /** Addresses and networks (CIDR) of the proxies whose forwarded headers are believed. */
  trustProxy: string[]
  /** Lets passwords and cookies go over the network as they are. */
  insecureHttp: boolean
}

export interface TlsFiles {
  cert: string
  key: string
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

/** What the command line looks at of its environment. */
export interface OptionsEnvironment {
  /** The data directory where none is named. */
  DOCKET_DATA?: string | undefined
  DOCKET_AUTH?: string | undefined
  DOCKET_URL?: string | undefined
}

/** Reads the command line. @throws OptionError invalid_input, unsafe_bind */
export function readOptions(args: string[], cwd: string, program: string, env: OptionsEnvironment): CommandLine

/** Why only this machine is let in without accounts, and what to do. @param what was asked for, e.g. `--host 0.0.0.0` */
export function needsTeam(what: string): string
