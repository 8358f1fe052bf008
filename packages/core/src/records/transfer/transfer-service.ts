import type { SessionImport } from "../../ground/schema/index.ts"

export interface ExportOptions {
  /** JSON can be imported again, Markdown is for people. */
  format: "json" | "markdown"
  /** As a share shows it, with everything replaced that looks secret. */
  sanitize: boolean
}

/** Something of a file that has no place in Docket. */
export interface LeftOut {
  what: string
  count: number
}

export interface ImportReport {
  /** The root of the tree that is there now. */
  sessionID: string
  title: string
  from: SessionImport["from"]
  /** How much came with it. */
  counts: { sessions: number; messages: number; parts: number; todos: number; tasks: number; comments: number }
  left: LeftOut[]
}

export interface TransferService {
  /**
   * The whole tree that contains the session as one file, in pieces, as it is while it is read. A file that breaks off is
   * not whole. @throws session_not_found
   */
  export(sessionID: string, options: ExportOptions): Promise<AsyncIterable<string>>
  /**
   * Brings a tree from a file of Docket, OpenCode or Claude Code, as its content says. All of it is there at once, or
   * nothing. It belongs to the project then, and nothing in it runs. With `newIDs` it is another one than that it was
   * made of. @throws invalid_input with what is wrong, already_made, project_not_found
   */
  import(file: Uint8Array, options: { projectID: string; newIDs?: boolean | undefined }): Promise<ImportReport>
}
