import type { LanguageServerState } from "../../ground/schema/language-server.ts"
import type { LspConfig } from "../../ground/schema/lsp-config.ts"
import type { ProgramPlace } from "./program-place.ts"

export type { StartedProgram } from "./start-program.ts"

/** The project in which language servers work. */
export interface LanguagePlace extends ProgramPlace {
  settings: LspConfig | undefined
}

export interface CheckOptions {
  /** The text before the change; null for a new file, undefined when unknown. */
  before?: string | null | undefined
  signal: AbortSignal
  /** The ids of the servers that the check waits for; empty when it waits no more. */
  onWait(servers: readonly string[]): void
  /** A server answered after the check had ended; the text is for the model. */
  onLate(text: string): void
}

export const languageLookups = ["definition", "references", "hover", "symbols"] as const

/** A question about a place in a file. Lines and columns count from 1. */
export interface LanguageQuestion {
  operation: (typeof languageLookups)[number]
  /** Absolute and real. */
  file: string
  text: string
  line: number
  column: number
  signal: AbortSignal
}

/** A place that a server named. Lines and columns count from 1. */
export interface LanguagePosition {
  /** Absolute. */
  file: string
  line: number
  column: number
  /** The name of a symbol, with what it is. */
  label?: string
}

export type LanguageAnswer = { server: string } & ({ places: readonly LanguagePosition[] } | { text: string })

/** Language servers of one workspace: started when a file first needs them, and stopped when idle. */
export interface LanguageServers {
  /**
   * What is wrong in a file (absolute, real) that was just written, for the model. Null when no server knows such files.
   * Never rejects: a server that fails or is late is said in the text.
   */
  check(place: LanguagePlace, file: string, options: CheckOptions): Promise<string | null>
  /** Whether servers run in the project. */
  areRunning(place: Pick<LanguagePlace, "worktree">): boolean
  /** @throws Error when no server can answer, saying why */
  look(place: LanguagePlace, question: LanguageQuestion): Promise<LanguageAnswer>
  /** All known servers of a project, running or not. */
  list(place: LanguagePlace): Promise<LanguageServerState[]>
  /** Ends the servers of this id in a project; the next file starts them again. */
  restart(place: Pick<LanguagePlace, "worktree">, id: string): Promise<void>
  close(): Promise<void>
}
