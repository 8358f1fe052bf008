import { type Memory, MemoryType, SessionID } from "@docket/core/schema"
import { z } from "@hono/zod-openapi"
import { cursorParameter, listPage, nextCursor, pageOf, sizeToRead } from "./list-page.ts"
import { toWireMemory, WireMemory, WireMemoryInput, WireMemoryPatch } from "./memory-wire.ts"
import { addRoute } from "./operation-routes.ts"
import type { V1App } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { checkItem, conversation, itemParams } from "./v1-input.ts"

const limits = { default: 50, max: 200 }
/** The longest search, in characters: each of its words is compared with every stored word. */
const maxSearch = 1_000

const path = "/memory/entries/{id}"
const invalid = { 400: "the request is not valid; says what is wrong" }
const answer = { description: "the entry", schema: WireMemory }
const ofItem = {
  item: { numberOf: "entry" },
  status: 200,
  answer,
  refusals: { 404: "entry not found, also for another tenant's and for one that no longer holds" },
  errors: { memory_not_found: [404, "entry not found"] },
  write: toWireMemory,
} as const
const seconds = { type: "integer", minimum: 1 } as const

/** `/v1/memory/entries`, `/v1/memory/entries/:id` and `…/:id/invalidate`. */
export function addMemory(app: V1App): void {
  app.use("/memory/entries/:id/:action", checkItem(itemParams("entry")))

  addRoute(app, "memory.create", {
    method: "post",
    path: "/memory/entries",
    operationID: "createMemory",
    summary: "Remembers something.",
    body: WireMemoryInput,
    status: 201,
    answer,
    refusals: invalid,
    async read({ body: { conversation_id, ...fields }, by, ...tenant }) {
      return { ...fields, sessionID: (await conversation(tenant, conversation_id)) ?? undefined, agent: by }
    },
    write: toWireMemory,
    about: ({ id }) => ({ memory: id }),
  })

  addList(app)

  /** Only entries that still hold. The list with `as_of` reaches invalidated ones. */
  addRoute(app, "memory.get", {
    ...ofItem,
    method: "get",
    path,
    operationID: "getMemory",
    summary: "One entry that holds.",
    read: ({ number }) => ({ memory: number }),
    write: (memory) => toWireMemory(requireActive(memory)),
  })

  addRoute(app, "memory.update", {
    ...ofItem,
    method: "patch",
    path,
    operationID: "patchMemory",
    summary: "Changes an entry.",
    body: WireMemoryPatch,
    refusals: { ...invalid, ...ofItem.refusals },
    read: ({ number, body }) => ({ memory: number, ...body }),
  })

  addRoute(app, "memory.remove", {
    ...ofItem,
    method: "delete",
    path,
    operationID: "deleteMemory",
    summary: "Removes an entry.",
    answer: { description: "it is gone", schema: z.object({ deleted: z.literal(true) }) },
    read: ({ number }) => ({ memory: number }),
    write: () => ({ deleted: true }),
  })

  addRoute(app, "memory.invalidate", {
    ...ofItem,
    method: "post",
    path: `${path}/invalidate`,
    operationID: "invalidateMemory",
    summary: "The entry is kept for history. The second time answers 404.",
    answer: {
      description: "it no longer holds",
      schema: z.object({ invalidated: z.literal(true), id: z.number() }),
    },
    errors: { memory_not_found: [404, "entry not found or already invalidated"] },
    read: ({ number }) => ({ memory: number }),
    write: ({ number }) => ({ invalidated: true, id: number }),
  })
}

/** Without `q`, type and tag filter the list; with it they only raise the rank, as in Arbiter. */
function addList(app: V1App): void {
  addRoute(app, "memory.search", {
    method: "get",
    path: "/memory/entries",
    operationID: "listMemory",
    summary: "With `q` ranked, type and tag raise the rank; without, most recently changed first, they narrow.",
    query: {
      q: { type: "string", maxLength: maxSearch, description: "words to look for" },
      type: { type: "string", description: `one or more of ${MemoryType.options.join(", ")}, with commas` },
      tag: { type: "string", description: "a whole tag" },
      conversation_id: { type: "string", description: "a session id: what its conversation sees" },
      as_of: { ...seconds, description: "what held then, epoch seconds" },
      since: { ...seconds, description: "recorded then or later" },
      before_updated_at: { ...seconds, description: "last changed earlier" },
      limit: { type: "integer", minimum: 1, maximum: 200, default: 50, description: "how many at most" },
      cursor: cursorParameter,
    },
    status: 200,
    answer: {
      description: "the entries",
      schema: z.object({ count: z.number(), entries: z.array(WireMemory), ...nextCursor }),
    },
    refusals: invalid,
    async read({ query, hasSession }) {
      const q = query.q?.trim() || undefined
      if (q !== undefined && q.length > maxSearch) throw new V1Error(400, `q is longer than ${maxSearch} characters`)
      const filters = { types: typesOf(query.type), tag: query.tag || undefined }
      const session = SessionID.safeParse(query.conversation_id)
      return {
        q,
        ...(q === undefined ? filters : { prefer: filters }),
        // An id of no conversation of the tenant is ignored, as in Arbiter.
        sessionID: session.success && (await hasSession(session.data)) ? session.data : undefined,
        // 999 ms more, so that all of that second is included.
        asOf: moment(query.as_of, 999),
        since: moment(query.since),
        before: moment(query.before_updated_at),
        limit: sizeToRead(listPage(query.cursor, limitOf(query.limit))),
      }
    },
    write(memories, { query: { cursor, limit } }) {
      const { items, next_cursor } = pageOf(memories, listPage(cursor, limitOf(limit)))
      return { count: items.length, entries: items.map(toWireMemory), next_cursor }
    },
  })
}

function typesOf(csv: string | undefined): MemoryType[] | undefined {
  if (!csv) return undefined
  return csv.split(",").map((name) => {
    const type = MemoryType.safeParse(name.trim())
    if (type.success) return type.data
    throw new V1Error(400, `type must be one of: ${MemoryType.options.join(", ")}`)
  })
}

/** Epoch seconds as milliseconds, plus `plus` ms; undefined for none. */
function moment(seconds = "", plus = 0): number | undefined {
  return /^[1-9]\d{0,11}$/.test(seconds) ? Number(seconds) * 1_000 + plus : undefined
}

function limitOf(given = ""): number {
  return /^[1-9]\d{0,8}$/.test(given) ? Math.min(Number(given), limits.max) : limits.default
}

function requireActive(memory: Memory): Memory {
  if (memory.invalidatedAt === null) return memory
  throw new V1Error(404, "entry not found")
}
