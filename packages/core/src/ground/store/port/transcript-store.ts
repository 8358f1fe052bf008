import type { Message, MessageWithParts, Part } from "../../schema/index.ts"

export interface MessagePage {
  items: MessageWithParts[]
  /** Ids of the first and last message when there is more on that side. */
  before: string | null
  after: string | null
}

export interface TranscriptStore {
  /**
   * A window of messages with all their parts, oldest first. Without an anchor: the newest `limit`.
   * `around` is a message id or a part id; the window is centred on it, or the newest when the part is gone.
   */
  page(query: {
    sessionID: string
    before?: string | undefined
    after?: string | undefined
    around?: string | undefined
    limit: number
  }): Promise<MessagePage>
  /** All messages from the last finished compaction summary on (it included), oldest first: what the model sees. */
  sinceCompaction(sessionID: string): Promise<MessageWithParts[]>
  part(partID: string): Promise<Part | null>
  /** Those of these messages and parts that there are, in any order. */
  named(ids: {
    messageIDs: readonly string[]
    partIDs: readonly string[]
  }): Promise<{ messages: Message[]; parts: Part[] }>
  /** Tool parts of the session that are pending or running. */
  openToolParts(sessionID: string): Promise<Part[]>
  /** Assistant messages of the session without `time.completed`. */
  openMessages(sessionID: string): Promise<Message[]>
}
