import MiniSearch from "minisearch"
import type { Memory, MemoryType } from "../../ground/schema/index.ts"
import type { MemoryStore } from "../../ground/store/index.ts"

/** Which entries a search takes. `projectID` and `sessionID` also let through entries of neither. */
export interface MemoryFilter {
  projectID?: string | undefined
  sessionID?: string | undefined
  /** Only what is pinned to a session. */
  pinned?: boolean | undefined
  types?: readonly MemoryType[] | undefined
  tag?: string | undefined
  /** Invalidated ones too. */
  all?: boolean | undefined
  /** What held at that moment (epoch ms), from its creation up to but not at its invalidation. */
  asOf?: number | undefined
  /** Recorded at or after `since`, and last changed before `before`. */
  since?: number | undefined
  before?: number | undefined
}

/** Raises the rank of entries of these types and with this tag, and lets others through. */
export interface MemoryPreference {
  types?: readonly MemoryType[] | undefined
  tag?: string | undefined
}

/** Full-text index over all entries of the tenant. It is read from the store on first use. */
export interface MemoryIndex {
  /** Ids, most recently changed first. */
  browse(filter: MemoryFilter): Promise<string[]>
  /** Ids of entries with any word of `q`, best first; of equals the most recently changed. */
  rank(q: string, filter: MemoryFilter, prefer: MemoryPreference): Promise<string[]>
  put(memory: Memory): Promise<void>
  drop(id: string): Promise<void>
}

/** All that filters and order need: contents stay in the store. */
type Card = Omit<Memory, "content">

/** Weights of the fields, as in Arbiter. */
const boost = { title: 10, content: 4, tags: 8, source: 2 }
/** How much a preferred type or tag counts. */
const preferred = 2
const allEntries = 1_000_000

export function createMemoryIndex(store: Pick<MemoryStore, "list">): MemoryIndex {
  let loading: Promise<Loaded> | null = null
  const load = () => {
    loading ??= read(store).catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
  return {
    async browse(filter) {
      const { cards } = await load()
      return newestFirst([...cards.values()].filter((card) => passes(card, filter))).map(({ id }) => id)
    },
    async rank(q, filter, prefer) {
      const { cards, texts } = await load()
      const results = texts.search(q, {
        boost,
        prefix: (term) => term.length > 2,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        filter: ({ id }) => {
          const card = cards.get(id)
          return card !== undefined && passes(card, filter)
        },
        boostDocument: (id) => weight(cards.get(id), prefer),
      })
      const updated = (id: string) => cards.get(id)?.time.updated ?? 0
      return results.toSorted((a, b) => b.score - a.score || updated(b.id) - updated(a.id)).map(({ id }) => id)
    },
    async put(memory) {
      if (loading !== null) add(await loading, memory)
    },
    async drop(id) {
      if (loading === null) return
      const { cards, texts } = await loading
      if (cards.delete(id)) texts.discard(id)
    },
  }
}

interface Loaded {
  cards: Map<string, Card>
  texts: MiniSearch<Memory>
}

async function read(store: Pick<MemoryStore, "list">): Promise<Loaded> {
  const texts = new MiniSearch<Memory>({
    fields: Object.keys(boost),
    extractField: (memory, field) => (field === "tags" ? memory.tags.join(" ") : memory[field as keyof Memory]),
    processTerm: plainTerm,
  })
  const loaded: Loaded = { cards: new Map(), texts }
  for (const memory of await store.list({ all: true, limit: allEntries })) add(loaded, memory)
  return loaded
}

function add({ cards, texts }: Loaded, memory: Memory): void {
  const { content, ...card } = memory
  if (cards.has(memory.id)) texts.replace(memory)
  else texts.add(memory)
  cards.set(memory.id, card)
}

/** Small letters without accents, so that `Zurich` finds `Zürich`. */
function plainTerm(term: string): string {
  return term.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
}

function passes(card: Card, filter: MemoryFilter): boolean {
  const { types, tag, asOf, since, before } = filter
  if (!isVisible(card, filter)) return false
  if (filter.pinned === true && card.sessionID === null) return false
  if (types !== undefined && !types.includes(card.type)) return false
  if (tag !== undefined && !card.tags.includes(tag)) return false
  if (since !== undefined && card.time.created < since) return false
  if (before !== undefined && card.time.updated >= before) return false
  if (asOf === undefined) return filter.all === true || card.invalidatedAt === null
  return card.time.created <= asOf && (card.invalidatedAt === null || asOf < card.invalidatedAt)
}

/** As `MemoryStore.list` has it: a project's page shows what is pinned to its sessions, another session does not. */
function isVisible(card: Card, { projectID, sessionID }: MemoryFilter): boolean {
  if (card.sessionID === null && card.projectID === null) return true
  if (card.sessionID !== null && sessionID !== undefined) return card.sessionID === sessionID
  if (projectID !== undefined) return card.projectID === projectID
  return sessionID === undefined
}

function weight(card: Card | undefined, { types, tag }: MemoryPreference): number {
  if (card === undefined) return 1
  const ofType = types?.includes(card.type) ? preferred : 1
  return tag !== undefined && card.tags.includes(tag) ? ofType * preferred : ofType
}

function newestFirst(cards: Card[]): Card[] {
  return cards.sort((a, b) => b.time.updated - a.time.updated || b.number - a.number)
}
