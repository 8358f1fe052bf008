export interface ServiceOptions {
  /** Absolute directories of the projects to open; the first is the initial one. */
  projects: string[]
  /** Whether nobody named `projects`: a service with accounts opens none then. */
  byDefault?: boolean
  /** 0 chooses a free port. */
  port: number
  host: string
  /** Absolute path of the data directory. */
  data: string
  web: boolean
  /** Trusts the current configuration of the projects. */
  trust: boolean
  /** Settings that override all files: paths of files, or JSON. */
  config?: string[]
  /** How other machines can connect. */
  reach?: ReachOptions
  /**
   * The address of a team's service, e.g. `https://docket.example.org`. When left out, only this machine can connect.
   */
  publicUrl?: string
  /** Set for one of several nodes on a database. */
  node?: NodeOptions
}

export interface NodeOptions {
  role: "web" | "worker"
  /** Hosts with the same label have the same directories; null for directories of this host only. */
  storage: string | null
}

export interface ReachOptions {
  /** Absolute paths of a certificate with its chain, and of its key, in PEM. */
  tls: TlsFiles | null
  /** Addresses and networks (CIDR) of the proxies whose forwarded headers are trusted. */
  trustProxy: string[]
  /** Allows passwords and cookies over an unencrypted connection. */
  insecureHttp: boolean
}

export interface TlsFiles {
  cert: string
  key: string
}

export interface CommandLine extends ServiceOptions {
  json: boolean
  /** Whether the parent process still builds the web app, and sends a message when it is there. */
  webFollows: boolean
  help: boolean
}

/** What is wrong with the options, and how to correct it. */
export class OptionError extends Error {
  code: "invalid_input" | "unsafe_bind" | "project_directory_missing" | "store_unavailable"
}

/** `program` is the command that was called, e.g. `docket serve`. */
export function usage(program: string): string

/** The environment variables that affect the options. */
export interface OptionsEnvironment {
  /** The default data directory. */
  DOCKET_DATA?: string | undefined
  DOCKET_AUTH?: string | undefined
  DOCKET_URL?: string | undefined
  DATABASE_URL?: string | undefined
  DOCKET_SECRET_KEY?: string | undefined
}

/** Reads the command line. @throws OptionError invalid_input, unsafe_bind */
export function readOptions(args: string[], cwd: string, program: string, env: OptionsEnvironment): CommandLine

/**
 * Explains why only this machine can connect without accounts, and what to do.
 * @param what the options that were given, e.g. `--host 0.0.0.0`
 */
export function needsTeam(what: string): string
