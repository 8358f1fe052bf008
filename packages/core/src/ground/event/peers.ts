import type { DocketEvent, EditorAnswer, ViewerTab } from "../schema/index.ts"

/** What runtimes on one store tell each other. Some of it is lost: rows stay the truth. */
export interface Peers {
  /** Is told a moment later, together with what else is told meanwhile. */
  tell(news: PeerNews): void
  /** Calls the listener with what another runtime told, or with null when something may have been lost. */
  listen(listener: (news: PeerNews | null, from: string) => void): () => void
}

export type PeerNews = RowNews | EventNews | StateNews | CopyNews | TabNews | AnswerNews | WorkspacesNews

/** A runtime has stored changes of a tree, with numbers after `since` up to `to`. */
export interface RowNews {
  kind: "rows"
  rootID: string
  since: number
  to: number
  /** Whether lists of other trees show what was changed. */
  lists: boolean
}

/** Events that belong to no row. */
export interface EventNews {
  kind: "events"
  events: DocketEvent[]
}

/** What a runtime says of itself. See `createPeerState`. */
export interface StateNews {
  kind: "state"
  name: string
  /** By key; null takes an entry back. */
  entries: [key: string, entry: unknown][]
  /** The entries are all that there are. */
  whole: boolean
  /** Everybody else is to say theirs. */
  asks: boolean
}

/** The copy of a share has grown. */
export interface CopyNews {
  kind: "copied"
  shareID: string
}

/** What a tab shows now, which another runtime serves. */
export interface TabNews {
  kind: "tab"
  person: string
  tab: ViewerTab
}

/** What an editor answers to another runtime. */
export interface AnswerNews {
  kind: "answer"
  askID: string
  person: string
  answer: EditorAnswer
}

/** A workspace was made, changed or removed. */
export interface WorkspacesNews {
  kind: "workspaces"
}

/** Adds news to those that wait, and leaves out what the new ones repeat or continue. */
export function addNews(waiting: readonly PeerNews[], news: PeerNews): PeerNews[] {
  if (news.kind === "rows") {
    const known = waiting.find((it): it is RowNews => it.kind === "rows" && it.rootID === news.rootID)
    if (known === undefined) return [...waiting, news]
    const since = Math.min(known.since, news.since)
    const merged = { ...known, since, to: Math.max(known.to, news.to), lists: known.lists || news.lists }
    return waiting.map((it) => (it === known ? merged : it))
  }
  if (news.kind === "copied" && waiting.some((it) => it.kind === "copied" && it.shareID === news.shareID))
    return [...waiting]
  if (news.kind === "workspaces" && waiting.some(({ kind }) => kind === "workspaces")) return [...waiting]
  const last = waiting.at(-1)
  if (news.kind === "events" && last?.kind === "events")
    return [...waiting.slice(0, -1), { kind: "events", events: news.events.reduce(addEvent, last.events) }]
  return [...waiting, news]
}

/** Text that continues the text of an earlier event becomes part of it. */
function addEvent(events: readonly DocketEvent[], event: DocketEvent): DocketEvent[] {
  const at = event.type === "message.part.delta" ? events.findLastIndex((it) => continues(it, event)) : -1
  const earlier = events[at]
  if (earlier?.type !== "message.part.delta" || event.type !== "message.part.delta") return [...events, event]
  const text = earlier.properties.text + event.properties.text
  return events.with(at, { ...earlier, properties: { ...earlier.properties, text } })
}

function continues(earlier: DocketEvent, event: DocketEvent): boolean {
  if (earlier.type !== "message.part.delta" || event.type !== "message.part.delta") return false
  const { partID, offset, text } = earlier.properties
  return partID === event.properties.partID && offset + text.length === event.properties.offset
}
