import type { FeedItem } from "@docket/core/schema"
import type { RunResult } from "./run-line.ts"

/** Receives the events of a run and prints them. */
export interface Output {
  /** `waits`: the prompt of the run waits, and the session works on one that came before it. */
  handle(item: FeedItem, waits: boolean): void
  /** Something that is not an event, e.g. a permission that was refused because there is no terminal to ask on. */
  note(text: string): void
  /** Called once, when the turn has ended. */
  finish(result: Omit<RunResult, "type">): void
}
