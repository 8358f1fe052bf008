import { randomUUID } from "node:crypto"
import { addNews, type PeerNews, type Peers } from "@docket/core"
import type { ExecuteSql } from "@docket/core/turn-engine"
import { type Wake, wakeStatement } from "./wake.ts"

/** News are told together, so often (ms): more notifications than these would slow all commits down. */
const togetherMs = 100
/** Pause before news are told again that could not be told (ms). */
const retryMs = 500
/** The longest text of a notification (bytes). */
const longest = 7_900
/** A text of more pieces is dropped: it would fill the queue that the database keeps for its listeners. */
const mostPieces = 2_000
/** How many texts of which a piece is missing are kept. */
const mostUnfinished = 100
const prefix = "news"
/** A notification that has not come back after this time (ms) counts as lost. */
const lostAfterMs = 5_000

/** Tells other nodes what happens at this one. What it says of rows is a reason to read them: some news are lost. */
export interface News {
  /** For one workspace. */
  of(tenantID: string): Peers
  /** How long a notification of this node takes to come back to it (ms); null when it does not. */
  lag(): Promise<number | null>
  close(): Promise<void>
}

interface NewsDeps {
  wake: Wake
  execute: ExecuteSql
  /** Monotonic time (ms). */
  now(): number
  onError(error: unknown): void
}

/** What a text of notifications holds. */
interface Letter {
  tenantID: string
  from: string
  news: PeerNews[]
}

type Listener = Parameters<Peers["listen"]>[0]

export function createNews({ wake, execute, now, onError }: NewsDeps): News {
  /** The name of this process among those that are told. */
  const own = randomUUID()
  const waiting = new Map<string, PeerNews[]>()
  const listeners = new Map<string, Set<Listener>>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  const send = async () => {
    timer = undefined
    const letters = [...waiting].map(([tenantID, news]): Letter => ({ tenantID, from: own, news }))
    waiting.clear()
    const pieces = letters.flatMap((letter) => piecesOf(JSON.stringify(letter)))
    try {
      if (pieces.length > 0) await execute(...statement(pieces))
    } catch (error) {
      onError(error)
      for (const { tenantID, news } of letters) for (const one of news) if (isLasting(one)) add(tenantID, one, retryMs)
    }
  }
  const add = (tenantID: string, news: PeerNews, ms: number) => {
    waiting.set(tenantID, addNews(waiting.get(tenantID) ?? [], news))
    timer ??= setTimeout(() => {
      sending = sending.then(send)
    }, ms)
  }
  const join = createJoining()
  const unlisten = wake.listen((text) => {
    if (text === null) {
      for (const those of listeners.values()) for (const listener of those) listener(null, "")
      return
    }
    const whole = text.startsWith(`${prefix} `) ? join(text.slice(prefix.length + 1)) : null
    if (whole === null) return
    // `as`: the text comes from a node, through the database that all of them trust.
    const { tenantID, from, news } = JSON.parse(whole) as Letter
    if (from === own) return
    for (const listener of listeners.get(tenantID) ?? []) for (const one of news) listener(one, from)
  })
  return {
    of: (tenantID) => ({
      tell: (news) => add(tenantID, news, togetherMs),
      listen(listener) {
        const those = listeners.get(tenantID) ?? new Set()
        listeners.set(tenantID, those.add(listener))
        return () => void those.delete(listener)
      },
    }),
    lag: () => lagOf({ wake, execute, now }),
    async close() {
      clearTimeout(timer)
      unlisten()
      await sending
      // What was told at the end: who reads here no more.
      await send()
    },
  }
}

async function lagOf({ wake, execute, now }: Pick<NewsDeps, "wake" | "execute" | "now">): Promise<number | null> {
  const text = `echo ${randomUUID()}`
  const heard = Promise.withResolvers<number | null>()
  const unlisten = wake.listen((said) => {
    if (said === text) heard.resolve(now())
  })
  const late = setTimeout(() => heard.resolve(null), lostAfterMs)
  try {
    const began = now()
    const { sql, values } = wakeStatement(text)
    await execute(sql, values)
    const at = await heard.promise
    return at === null ? null : Math.round(at - began)
  } finally {
    clearTimeout(late)
    unlisten()
  }
}

/** Text that could not be told in time is read from the rows. */
function isLasting(news: PeerNews): boolean {
  return news.kind !== "events" || news.events.some(({ type }) => type !== "message.part.delta")
}

/** One statement for all of them, so that they arrive in their order. */
function statement(pieces: readonly string[]): [sql: string, values: unknown[]] {
  const { sql, values } = wakeStatement("")
  return pieces.length === 1
    ? [sql, [values[0], pieces[0]]]
    : [
        "SELECT pg_notify($1, piece) FROM unnest($2::text[]) WITH ORDINALITY AS it (piece, place) ORDER BY place",
        [values[0], pieces],
      ]
}

/** The notifications of a text. PostgreSQL refuses long ones, and delivers equal ones only once. */
function piecesOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const id = randomUUID()
  const room = longest - prefix.length - id.length - 20
  const count = Math.ceil(bytes.length / room)
  if (count > mostPieces) return []
  // base64 where a piece could end within a character.
  if (count === 1) return [`${prefix} ${id} 1 ${text}`]
  const encoded = bytes.toString("base64")
  const pieces = Math.ceil(encoded.length / room)
  return Array.from(
    { length: pieces },
    (_, at) => `${prefix} ${id} ${pieces} ${encoded.slice(at * room, (at + 1) * room)}`,
  )
}

/** Puts the pieces of texts together. Returns a text with its last piece, and null before. */
function createJoining(): (piece: string) => string | null {
  const unfinished = new Map<string, string[]>()
  return (piece) => {
    const [, id = "", count = "", text = ""] = /^(\S+) (\d+) (.*)$/s.exec(piece) ?? []
    if (count === "1") return text
    const pieces = unfinished.get(id) ?? []
    pieces.push(text)
    unfinished.set(id, pieces)
    if (pieces.length < Number(count)) {
      const [oldest] = unfinished.keys()
      if (unfinished.size > mostUnfinished && oldest !== undefined) unfinished.delete(oldest)
      return null
    }
    unfinished.delete(id)
    return Buffer.from(pieces.join(""), "base64").toString()
  }
}
