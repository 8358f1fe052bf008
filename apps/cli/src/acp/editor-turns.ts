import type { DocketClient, FeedItem, Turn } from "@docket/client"
import type { PromptPart } from "@docket/core/schema"
import { lastEnd } from "../run/last-end.ts"
import { createTurnEnds } from "../run/turn-ends.ts"

export interface EditorTurnsDeps {
  docket: DocketClient
  sessionID: string
  /** Adds work to the queue of items. */
  enqueue(work: () => Promise<void>): void
}

/** The turns of a session that the editor has begun. */
export interface EditorTurns {
  /** Sends a prompt and answers with its end, when all before it was told. */
  run(parts: () => Promise<PromptPart[]>): Promise<Turn>
  /** Stops the session's work with everything below it. */
  stop(): Promise<void>
  /** Stops it if this editor has begun it, and waits until that is told. */
  stopOwn(): Promise<void>
  /** Before an item is told. */
  note(item: FeedItem): void
  /** After an item was told. */
  end(item: FeedItem): void
  /** Whether a message is a prompt of this editor. */
  has(messageID: string): boolean
  /** Whether a prompt of this editor is at work, and was not stopped. */
  isWorking(): boolean
  /** Ends the wait for turns whose end will not be told. */
  lose(reason: unknown, isLost: (turnID: string) => boolean): void
}

export function createEditorTurns({ docket, sessionID, enqueue }: EditorTurnsDeps): EditorTurns {
  const ends = createTurnEnds()
  /** By turn that is waited for, what ends the wait without its end. */
  const waits = new Map<string, (reason: unknown) => void>()
  const messages = new Set<string>()
  const running = new Set<Promise<Turn>>()
  let stops = 0
  let isStopping = false

  async function abort(): Promise<void> {
    await docket.session.abort.mutate({ sessionID })
  }

  async function stop(): Promise<void> {
    stops += 1
    isStopping = running.size > 0
    await abort()
  }

  async function sendAndWait(parts: () => Promise<PromptPart[]>): Promise<Turn> {
    const stopsBefore = stops
    const lost = Promise.withResolvers<never>()
    // It may come before somebody waits for it.
    lost.promise.catch(() => {})
    const sending = docket.session.promptAsync.mutate({ sessionID, parts: await parts() })
    const known = sending.then(
      ({ id }) => void waits.set(id, lost.reject),
      () => {},
    )
    // Until then nobody can tell that the prompt is this editor's own.
    enqueue(() => known)
    const turn = await sending
    // Stopped while it was sent: there was nothing to stop then.
    if (stops !== stopsBefore) await abort()
    return await Promise.race([lastEnd(docket, ends, turn), lost.promise]).finally(() => waits.delete(turn.id))
  }

  return {
    async run(parts) {
      const work = sendAndWait(parts)
      running.add(work)
      try {
        return await work
      } finally {
        running.delete(work)
        if (running.size === 0) isStopping = false
      }
    },
    stop,
    async stopOwn() {
      if (running.size === 0) return
      await stop()
      await Promise.allSettled(running)
    },
    note(item) {
      if (item.type !== "turn.updated") return
      const { id, messageID } = item.properties.turn
      if (messageID !== null && waits.has(id)) messages.add(messageID)
    },
    end: ends.handle,
    has: (messageID) => messages.has(messageID),
    isWorking: () => running.size > 0 && !isStopping,
    lose(reason, isLost) {
      for (const [id, lose] of waits) if (isLost(id)) lose(reason)
    },
  }
}
