import type { SessionImport } from "../../ground/schema/index.ts"

export interface ExportOptions {
  /** JSON can be imported again, Markdown is for people. */
  format: "json" | "markdown"
  /** Exports it as a share would show it, with everything replaced that looks secret. */
  sanitize: boolean
}

/** Content of a file that Docket cannot represent. */
export interface LeftOut {
  /** In words for people. */
  what: string
  count: number
}

export interface ImportReport {
  /** The root of the new tree. */
  sessionID: string
  title: string
  from: SessionImport["from"]
  /** How much was imported. */
  counts: { sessions: number; messages: number; parts: number; todos: number; tasks: number; comments: number }
  left: LeftOut[]
}

export interface TransferService {
  /**
   * The whole tree that contains the session as one file, in pieces, as it is while it is read. If the stream breaks
   * off, the file is incomplete. @throws session_not_found
   */
  export(sessionID: string, options: ExportOptions): Promise<AsyncIterable<string>>
  /**
   * Imports a tree from a file of Docket, OpenCode or Claude Code, recognised by content; either all of it or nothing.
   * It then belongs to the project, and nothing in it runs. With `newIDs` it becomes a tree separate from the original.
   * @throws invalid_input with the problem, already_made, project_not_found
   */
  import(file: Uint8Array, options: { projectID: string; newIDs?: boolean | undefined }): Promise<ImportReport>
}
