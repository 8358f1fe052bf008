import type { FileOutput, FileSession, MessageWithParts, SessionFile } from "../../ground/schema/index.ts"

/** A tree on its way into a file: all but its transcripts, which are read when it is their turn. */
export interface FileTree {
  head: Pick<SessionFile, "sanitized" | "rootID" | "tasks" | "reviews">
  /** Each before those that it delegated to. */
  sessions: readonly Omit<FileSession, "messages">[]
  /** The transcript of a session in order, page by page. */
  messages(sessionID: string): AsyncIterable<MessageWithParts[]>
  /** After all transcripts were read. */
  outputs(): AsyncIterable<FileOutput>
}
