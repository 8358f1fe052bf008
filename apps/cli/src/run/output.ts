import type { FeedItem, Turn } from "@docket/core/schema"
import type { Usage } from "@docket/core/usage"

/** Receives the events of a run and prints them. */
export interface Output {
  handle(item: FeedItem): void
  /** Something that is not an event, e.g. a permission that was refused because there is no terminal to ask on. */
  note(text: string): void
  /** Called once, when the turn has ended. `usage` is for the whole tree; null when it is not known. */
  finish(result: { sessionID: string; turn: Turn; text: string; usage: Usage | null }): void
}
