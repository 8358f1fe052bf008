import MiniSearch from "minisearch"
import { z } from "zod"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { type Caller, Memory, type MemoryType, type Session } from "../../ground/schema/index.ts"
import type { MemoryStore } from "../../ground/store/index.ts"
import type { MemoryService } from "./memory-service.ts"
import { memoryLine } from "./memory-text.ts"

const pageSize = { default: 50, max: 10_000 }
/** Most entries passed to a delegated task. */
const pipelineSize = 15

interface MemoryServiceDeps {
  store: MemoryStore
  bus: Bus
  createID: CreateId
  clock: () => number
  /** @throws session_not_found */
  sessionByID(id: string): Promise<Pick<Session, "rootID" | "projectID">>
  /** @throws project_not_found */
  projectByID(id: string): Promise<unknown>
}

export interface Memories extends MemoryService {
  /** The service in the name of a caller, who is recorded as the author. */
  as(caller: Caller): MemoryService
  /**
   * Entries recorded in the session's conversation, for the envelope of a delegated task: one line per entry, newest
   * first; null when there is none.
   */
  pipeline(session: Pick<Session, "rootID">, limit?: number): Promise<string | null>
}

/**
 * Facts worth remembering. An entry belongs to a session, to a project or to neither. A session means its whole tree
 * here: entries recorded by one agent of a conversation are found by the others.
 */
export function createMemoryService(deps: MemoryServiceDeps): Memories {
  const { store } = deps
  const index = createMemoryIndex(store)
  const inOrder = createKeyedQueue()
  const get = async (ref: string | number): Promise<Memory> => {
    const memory = typeof ref === "number" ? await store.byNumber(ref) : await store.get(ref)
    if (memory === null) throw notFound(ref)
    return memory
  }
  const save = async (memory: Memory): Promise<Memory> => {
    await store.put(memory)
    await index.put(memory)
    publish(deps.bus, { type: "memory.updated", properties: { memory } })
    return memory
  }
  const change = async (ref: string | number, edit: (memory: Memory) => Memory, by?: Caller): Promise<Memory> => {
    const { id } = await get(ref)
    return inOrder(id, async () => {
      const memory = await get(id)
      if (memory.invalidatedAt !== null) throw notFound(ref)
      return save(checked({ ...edit(memory), ...(by && { by }) }))
    })
  }
  /** The entries with these ids. A missing one was removed together with its session. */
  const take = async (ids: string[], limit: number): Promise<Memory[]> => {
    const found: Memory[] = []
    for (const id of ids) {
      if (found.length >= limit) break
      const memory = await store.get(id)
      if (memory === null) await index.drop(id)
      else found.push(memory)
    }
    return found
  }
  const serviceOf = (by?: Caller): MemoryService => ({
    async create(input) {
      const draft = checked(await newMemory(deps, input))
      return save({ ...draft, ...(by && { by }), number: await store.reserveNumber() })
    },
    get,
    update: (ref, patch) => change(ref, (memory) => patched(memory, patch, deps.clock()), by),
    invalidate: (ref) => change(ref, (memory) => invalidated(memory, deps.clock()), by),
    async remove(ref) {
      const memory = await get(ref)
      await store.remove(memory.id)
      await index.drop(memory.id)
      publish(deps.bus, { type: "memory.removed", properties: { memoryID: memory.id } })
    },
    async search({ q = "", limit = pageSize.default, prefer = {}, ...query }) {
      const filter = { ...query, ...(await placeOf(deps, query)) }
      const ids = q.trim() === "" ? await index.browse(filter) : await index.rank(q, filter, prefer)
      return take(ids, Math.min(limit, pageSize.max))
    },
  })
  return {
    ...serviceOf(),
    as: serviceOf,
    async pipeline({ rootID }, limit = pipelineSize) {
      const ids = await index.browse({ sessionID: rootID, pinned: true })
      const lines = (await take(ids, limit)).map(memoryLine)
      return lines.length === 0 ? null : lines.join("\n")
    },
  }
}

function publish(
  bus: Bus,
  event:
    | { type: "memory.updated"; properties: { memory: Memory } }
    | { type: "memory.removed"; properties: { memoryID: string } },
): void {
  bus.publish({ ...event, rootID: null, seq: null })
}

function notFound(ref: string | number): DocketError {
  const name = typeof ref === "number" ? `#${ref}` : ref
  return new DocketError("memory_not_found", `There is no memory ${name}, or it no longer holds.`)
}

/** The conversation and the project of a session. */
async function placeOf(
  deps: MemoryServiceDeps,
  { sessionID, projectID }: { sessionID?: string | undefined; projectID?: string | undefined },
): Promise<{ sessionID?: string; projectID?: string }> {
  if (sessionID === undefined) return projectID === undefined ? {} : { projectID }
  const session = await deps.sessionByID(sessionID)
  return { sessionID: session.rootID, projectID: session.projectID }
}

async function newMemory(
  deps: MemoryServiceDeps,
  input: Parameters<MemoryService["create"]>[0],
): Promise<Omit<Memory, "number">> {
  const place = await placeOf(deps, input)
  if (place.sessionID === undefined && place.projectID !== undefined) await deps.projectByID(place.projectID)
  const now = deps.clock()
  return {
    id: input.id ?? deps.createID("memory"),
    projectID: place.projectID ?? null,
    sessionID: place.sessionID ?? null,
    type: input.type,
    title: input.title.trim(),
    content: input.content,
    source: input.source?.trim() ?? "",
    tags: plainTags(input.tags ?? []),
    agent: input.agent ?? null,
    invalidatedAt: null,
    time: { created: now, updated: now },
  }
}

function invalidated(memory: Memory, now: number): Memory {
  return { ...memory, invalidatedAt: now, time: { ...memory.time, updated: now } }
}

function patched(memory: Memory, patch: Parameters<MemoryService["update"]>[1], now: number): Memory {
  return {
    ...memory,
    type: patch.type ?? memory.type,
    title: patch.title?.trim() ?? memory.title,
    content: patch.content ?? memory.content,
    source: patch.source?.trim() ?? memory.source,
    tags: patch.tags === undefined ? memory.tags : plainTags(patch.tags),
    time: { ...memory.time, updated: now },
  }
}

function plainTags(tags: string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))]
}

const limits = Memory.pick({ type: true, title: true, content: true, source: true, tags: true })

/** @throws invalid_input when a field is empty or too long */
function checked<T extends z.infer<typeof limits>>(memory: T): T {
  const result = limits.safeParse(memory)
  if (result.success) return memory
  throw new DocketError("invalid_input", `The memory cannot be stored: ${z.prettifyError(result.error)}`)
}

/** Filters a search. `projectID` and `sessionID` also accept entries that belong to neither. */
interface MemoryFilter {
  projectID?: string | undefined
  sessionID?: string | undefined
  /** Only entries pinned to a session. */
  pinned?: boolean | undefined
  types?: readonly MemoryType[] | undefined
  tag?: string | undefined
  /** Includes invalidated entries. */
  all?: boolean | undefined
  /** Entries valid at that time (epoch ms): created by then and not yet invalidated. */
  asOf?: number | undefined
  /** Recorded at or after `since`, and last changed before `before`. */
  since?: number | undefined
  before?: number | undefined
}

/** Ranks entries of these types or with this tag higher, without leaving others out. */
interface MemoryPreference {
  types?: readonly MemoryType[] | undefined
  tag?: string | undefined
}

/** Full-text index of all entries of the tenant, read from the store on first use. */
interface MemoryIndex {
  /** Ids, last changed first. */
  browse(filter: MemoryFilter): Promise<string[]>
  /** Ids of entries with any word of `q`, best first; among equals, last changed first. */
  rank(q: string, filter: MemoryFilter, prefer: MemoryPreference): Promise<string[]>
  put(memory: Memory): Promise<void>
  drop(id: string): Promise<void>
}

/** The fields needed to filter and sort; contents stay in the store. */
type Card = Omit<Memory, "content">

/** Weights of the fields in a search, as in the program Arbiter. */
const boost = { title: 10, content: 4, tags: 8, source: 2 }
/** The factor for a preferred type or tag. */
const preferred = 2
/** `MemoryStore.list` needs a limit; no tenant has as many entries as this. */
const allEntries = 1_000_000

function createMemoryIndex(store: Pick<MemoryStore, "list">): MemoryIndex {
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

/** Lower case without accents, so that `Zurich` finds `Zürich`. */
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

/**
 * The same rule as `MemoryStore.list`: a project's page shows entries pinned to its sessions, another session does not.
 */
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
