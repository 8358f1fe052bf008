import { isDocketError } from "@docket/core"
import { type Memory, MemoryType, SessionID } from "@docket/core/schema"
import { answerJson } from "../http/answer.ts"
import {
  createMemory,
  deleteMemory,
  getMemory,
  invalidateMemory,
  listMemory,
  memoryParams,
  patchMemory,
} from "./memory-routes.ts"
import { toWireMemory } from "./memory-wire.ts"
import type { V1App, V1Context } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { checkItem, conversation } from "./v1-input.ts"

const limits = { default: 50, max: 200 }
/** Characters of a search: each word of it is compared with every word that is stored. */
const maxSearch = 1_000

/** `/v1/memory/entries`, `/v1/memory/entries/:id` and `…/:id/invalidate`. */
export function addMemory(app: V1App): void {
  app.use("/memory/entries/:id", checkItem(memoryParams))
  app.use("/memory/entries/:id/:action", checkItem(memoryParams))

  app.openapi(createMemory, async (c) => {
    const { conversation_id, ...fields } = c.req.valid("json")
    const sessionID = (await conversation(c, conversation_id)) ?? undefined
    const memory = await found(c.var.tenant.memory.create({ ...fields, sessionID, agent: c.var.identity.name }))
    c.var.recorder?.about({ memory: memory.id })
    return answerJson(c, toWireMemory(memory), 201)
  })

  /** Without `q` type and tag narrow the list, with it they only raise the rank, as in Arbiter. */
  app.openapi(listMemory, async (c) => {
    const query = c.req.valid("query")
    const q = query.q?.trim() || undefined
    if (q !== undefined && q.length > maxSearch) throw new V1Error(400, `q is longer than ${maxSearch} characters`)
    const wanted = { types: typesOf(query.type), tag: query.tag || undefined }
    const memories = await c.var.tenant.memory.search({
      q,
      ...(q === undefined ? wanted : { prefer: wanted }),
      sessionID: await knownSession(c, query.conversation_id),
      asOf: moment(query.as_of, 999),
      since: moment(query.since),
      before: moment(query.before_updated_at),
      limit: limitOf(query.limit),
    })
    return answerJson(c, { count: memories.length, entries: memories.map(toWireMemory) }, 200)
  })

  /** Only entries that hold: what was invalidated is reached by `as_of` in the list. */
  app.openapi(getMemory, async (c) => {
    const memory = active(await found(c.var.tenant.memory.get({ memory: c.req.valid("param").id })))
    return answerJson(c, toWireMemory(memory), 200)
  })

  app.openapi(patchMemory, async (c) => {
    const memory = await found(c.var.tenant.memory.update({ memory: c.req.valid("param").id, ...c.req.valid("json") }))
    return answerJson(c, toWireMemory(memory), 200)
  })

  app.openapi(deleteMemory, async (c) => {
    await found(c.var.tenant.memory.remove({ memory: c.req.valid("param").id }))
    return answerJson(c, { deleted: true } as const, 200)
  })

  app.openapi(invalidateMemory, async (c) => {
    const { id } = c.req.valid("param")
    await found(c.var.tenant.memory.invalidate({ memory: id }), "entry not found or already invalidated")
    return answerJson(c, { invalidated: true, id } as const, 200)
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

/** An id that names no conversation of the tenant is left out, as in Arbiter. */
async function knownSession({ var: { tenant } }: V1Context, given: string | undefined): Promise<string | undefined> {
  const id = SessionID.safeParse(given)
  return id.success && (await tenant.hasSession(id.data)) ? id.data : undefined
}

/** Epoch seconds as milliseconds, `plus` of them later; undefined for none. */
function moment(seconds = "", plus = 0): number | undefined {
  return /^[1-9]\d{0,11}$/.test(seconds) ? Number(seconds) * 1_000 + plus : undefined
}

function limitOf(given = ""): number {
  return /^[1-9]\d{0,8}$/.test(given) ? Math.min(Number(given), limits.max) : limits.default
}

function active(memory: Memory): Memory {
  if (memory.invalidatedAt === null) return memory
  throw new V1Error(404, "entry not found")
}

async function found<T>(work: Promise<T>, missing = "entry not found"): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isDocketError(error) && error.code === "memory_not_found") throw new V1Error(404, missing)
    throw error
  }
}
