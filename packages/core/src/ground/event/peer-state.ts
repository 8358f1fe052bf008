import { nodeTimers, type Timers } from "../concurrency/timers.ts"
import type { Peers, StateNews } from "./peers.ts"

/** How often each runtime repeats all that it says of itself (ms). */
const repeatMs = 5_000
/** What a runtime said counts this long after its last word (ms). */
const untilMs = 15_000

/** Entries of all runtimes on a store, by key. Those of a runtime that died or is cut off are soon forgotten. */
export interface PeerState<Entry> {
  /** Says the entry of this runtime; null takes it back. */
  put(key: string, entry: Entry | null): void
  /** The entries that other runtimes have under the key. */
  others(key: string): Entry[]
  close(): void
}

export interface PeerStateDeps {
  /** Absent where this runtime is the only one. */
  peers: Peers | undefined
  timers?: Timers
}

interface Peer {
  entries: Map<string, unknown>
  stopTimer(): void
}

/** @param onChange called when the entries of other runtimes under a key have changed */
export function createPeerState<Entry>(
  { peers, timers = nodeTimers }: PeerStateDeps,
  name: string,
  onChange: (key: string) => void = () => {},
): PeerState<Entry> {
  if (peers === undefined) return { put: () => {}, others: () => [], close: () => {} }
  const own = new Map<string, Entry>()
  const others = new Map<string, Peer>()
  const say = (asks: boolean) => peers.tell({ kind: "state", name, entries: [...own], whole: true, asks })
  const forget = (from: string) => {
    const keys = [...(others.get(from)?.entries.keys() ?? [])]
    others.get(from)?.stopTimer()
    others.delete(from)
    for (const key of keys) onChange(key)
  }
  const hear = ({ entries, whole, asks }: StateNews, from: string) => {
    if (asks) say(false)
    const before = others.get(from)
    before?.stopTimer()
    const next = new Map(whole ? [] : before?.entries)
    for (const [key, entry] of entries) {
      if (entry === null) next.delete(key)
      else next.set(key, entry)
    }
    others.set(from, { entries: next, stopTimer: timers.after(untilMs, () => forget(from)) })
    for (const key of new Set([...next.keys(), ...(before?.entries.keys() ?? [])]))
      if (JSON.stringify(before?.entries.get(key)) !== JSON.stringify(next.get(key))) onChange(key)
  }
  const stops = [
    timers.every(repeatMs, () => own.size > 0 && say(false)),
    peers.listen((news, from) => {
      // Others may have missed what was said here, and what they said was missed.
      if (news === null) say(true)
      else if (news.kind === "state" && news.name === name) hear(news, from)
    }),
  ]
  say(true)
  return {
    put(key, entry) {
      if (entry === null) own.delete(key)
      else own.set(key, entry)
      peers.tell({ kind: "state", name, entries: [[key, entry]], whole: false, asks: false })
    },
    others: (key) =>
      [...others.values()].flatMap(({ entries }) => (entries.has(key) ? [entries.get(key) as Entry] : [])),
    close() {
      for (const stop of stops) stop()
      for (const { stopTimer } of others.values()) stopTimer()
      if (own.size === 0) return
      own.clear()
      peers.tell({ kind: "state", name, entries: [], whole: true, asks: false })
    },
  }
}
