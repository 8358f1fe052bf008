import { z } from "zod"
import { endedCall, openStream, type ReaderOf } from "../open-readers.ts"
import type { Entrance, Nodes } from "./open-nodes.ts"

/** What readers noticed: how late each piece of text and each ended call came (ms), and what went wrong. */
export interface Noticed {
  text: number[]
  rows: number[]
  problems: string[]
}

/** A reader of one session. */
export interface Watcher {
  /** Resolves when this turn has ended. */
  ended(turnID: string): Promise<EndedTurn>
  close(): void
}

export interface Watching {
  /** Opens a stream of the session at the entrance, like a page. */
  watch(sessionID: string, entrance: Entrance): Promise<Watcher>
}

/** Readers at any entrance. */
export function createWatching({ reader: headers }: Nodes, noticed: Noticed): Watching {
  return {
    async watch(sessionID, entrance) {
      const input = encodeURIComponent(JSON.stringify({ rootID: sessionID, others: false }))
      const reader: ReaderOf = {
        url: `${entrance.url}/api/trpc/event.subscribe?input=${input}`,
        headers,
      }
      const ends = new Map<string, PromiseWithResolvers<EndedTurn>>()
      const endOf = (turnID: string) => {
        const known = ends.get(turnID) ?? Promise.withResolvers<EndedTurn>()
        ends.set(turnID, known)
        return known
      }
      const close = await openStream(reader, {
        hear(line) {
          note(line, noticed)
          const end = endedTurn(line)
          if (end !== null) endOf(end.id).resolve(end)
        },
        onEnd: () => noticed.problems.push("a stream was closed by the service"),
      })
      return { ended: (turnID) => endOf(turnID).promise, close }
    },
  }
}

/** Notes how late the text and the calls of this line of a stream are. */
function note(line: string, { text, rows }: Noticed): void {
  if (line.includes('"type":"message.part.delta"')) {
    const now = Date.now()
    for (const [, sent] of line.matchAll(/sent:(\d{13}) /g)) text.push(now - Number(sent))
    return
  }
  const call = endedCall(line)
  if (call !== null) rows.push(performance.now() - call.ended)
}

const EndedTurn = z.object({
  type: z.literal("turn.updated"),
  properties: z.object({
    turn: z.object({
      id: z.string(),
      status: z.enum(["completed", "failed", "aborted", "interrupted"]),
      time: z.object({ created: z.number(), started: z.number().nullable() }),
    }),
  }),
})
type EndedTurn = z.infer<typeof EndedTurn>["properties"]["turn"]

function endedTurn(line: string): EndedTurn | null {
  if (!line.includes('"type":"turn.updated"')) return null
  return EndedTurn.safeParse(JSON.parse(line.slice(line.indexOf("{")))).data?.properties.turn ?? null
}
