import type { FeedItem, Turn } from "@docket/core/schema"
import type { Usage } from "@docket/core/usage"

/** Where the events of a run go. */
export interface Output {
  handle(item: FeedItem): void
  /** Something that is not an event, e.g. a permission that was refused because nobody can be asked. */
  note(text: string): void
  /** Called once, when the turn ended. `text` is the answer, `usage` that of the whole tree; null when it is not known. */
  finish(result: { sessionID: string; turn: Turn; text: string; usage: Usage | null }): void
}
