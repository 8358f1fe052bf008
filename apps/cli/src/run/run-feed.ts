import type { FeedItem } from "@docket/core/schema"

/** The events of a session in which a run prompts, told apart by whether its own turn has begun. */
export interface RunFeed {
  handle(item: FeedItem): void
  /** Passes on what came before the turn of the run was known. */
  begin(turnID: string): void
}

/** `waits`: the prompt of the run waits, and the session works on one that came before it. */
export function createRunFeed(pass: (item: FeedItem, waits: boolean) => void): RunFeed {
  const early: FeedItem[] = []
  let own: string | null = null
  let waits = true

  function handle(item: FeedItem): void {
    if (own === null) {
      early.push(item)
      return
    }
    if (item.type === "turn.updated") {
      const { id, status } = item.properties.turn
      if (id === own && status !== "queued") waits = false
    }
    pass(item, waits)
  }

  return {
    handle,
    begin(turnID) {
      own = turnID
      for (const item of early.splice(0)) handle(item)
    },
  }
}
