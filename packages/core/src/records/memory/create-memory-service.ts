import { z } from "zod"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { type Caller, Memory, type Session } from "../../ground/schema/index.ts"
import type { MemoryStore } from "../../ground/store/index.ts"
import { createMemoryIndex } from "./memory-index.ts"
import type { MemoryService } from "./memory-service.ts"
import { memoryLine } from "./memory-text.ts"

const pageSize = { default: 50, max: 200 }
/** Entries that a child is told of. */
const pipelineSize = 15

export interface MemoryServiceDeps {
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
  /** What is written this way says who wrote it. */
  as(caller: Caller): MemoryService
  /**
   * What was recorded in the session's conversation, for the envelope of a delegated task: a line per entry,
   * newest first, null when there is none.
   */
  pipeline(session: Pick<Session, "rootID">, limit?: number): Promise<string | null>
}

/**
 * Facts worth keeping. An entry belongs to a session, to a project or to neither. A session stands for its
 * whole tree here: what one agent of a conversation records, the others find.
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
  /** The entries behind the ids. One that is gone was removed with its session. */
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

/** The conversation and the project that a session stands for. */
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
