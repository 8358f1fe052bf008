import { isDocketError } from "@docket/core"
import { type Memory, MemoryType, SessionID } from "@docket/core/schema"
import { sendJson } from "../http/respond.ts"
import { toWireMemory, WireMemoryInput, WireMemoryPatch } from "./memory-wire.ts"
import { conversation, itemNumber, parsed } from "./v1-input.ts"
import { readV1Json, sendPlain, V1Error, type V1Request } from "./v1-request.ts"

const limits = { default: 50, max: 200 }
/** Characters of a search: each word of it is compared with every word that is stored. */
const maxSearch = 1_000

/** `/v1/memory/entries`, `/v1/memory/entries/:id` and `…/:id/invalidate`. */
export async function serveMemory(request: V1Request): Promise<void> {
  const { res, method, path } = request
  const [, entries, id, action, ...deeper] = path
  if (entries !== "entries" || deeper.length > 0) return sendPlain(res, 404, "not found")
  if (id === undefined) {
    if (method === "POST") return createEntry(request)
    if (method === "GET") return listEntries(request)
    return sendPlain(res, 405, "method not allowed")
  }
  const number = itemNumber(id)
  if (number === null) return sendPlain(res, 400, "invalid entry id")
  if (action === undefined) return serveEntry(request, number)
  if (action !== "invalidate") return sendPlain(res, 404, "not found")
  if (method !== "POST") return sendPlain(res, 405, "method not allowed")
  await found(request.tenant.memory.invalidate(number), "entry not found or already invalidated")
  sendJson(res, 200, { invalidated: true, id: number })
}

/** Only entries that hold: what was invalidated is reached by `as_of` in the list. */
async function serveEntry({ tenant, req, res, method }: V1Request, number: number): Promise<void> {
  if (method === "GET") return sendJson(res, 200, toWireMemory(active(await found(tenant.memory.get(number)))))
  if (method === "PATCH") {
    const patch = parsed(WireMemoryPatch, await readV1Json(req))
    return sendJson(res, 200, toWireMemory(await found(tenant.memory.update(number, patch))))
  }
  if (method !== "DELETE") return sendPlain(res, 405, "method not allowed")
  await found(tenant.memory.remove(number))
  sendJson(res, 200, { deleted: true })
}

async function createEntry(request: V1Request): Promise<void> {
  const { tenant, req, res, caller } = request
  const { conversation_id, ...fields } = parsed(WireMemoryInput, await readV1Json(req))
  const sessionID = (await conversation(request, conversation_id)) ?? undefined
  const memory = await found(tenant.memory.create({ ...fields, sessionID, agent: caller }))
  sendJson(res, 201, toWireMemory(memory))
}

/** Without `q` type and tag narrow the list, with it they only raise the rank, as in Arbiter. */
async function listEntries({ tenant, res, url }: V1Request): Promise<void> {
  const query = url.searchParams
  const q = query.get("q")?.trim() || undefined
  if (q !== undefined && q.length > maxSearch) throw new V1Error(400, `q is longer than ${maxSearch} characters`)
  const wanted = { types: typesOf(query.get("type")), tag: query.get("tag") || undefined }
  const memories = await tenant.memory.search({
    q,
    ...(q === undefined ? wanted : { prefer: wanted }),
    sessionID: await knownSession(tenant, query.get("conversation_id")),
    asOf: moment(query.get("as_of"), 999),
    since: moment(query.get("since")),
    before: moment(query.get("before_updated_at")),
    limit: limitOf(query.get("limit")),
  })
  sendJson(res, 200, { count: memories.length, entries: memories.map(toWireMemory) })
}

function typesOf(csv: string | null): MemoryType[] | undefined {
  if (!csv) return undefined
  return csv.split(",").map((name) => {
    const type = MemoryType.safeParse(name.trim())
    if (type.success) return type.data
    throw new V1Error(400, `type must be one of: ${MemoryType.options.join(", ")}`)
  })
}

/** An id that names no conversation of the tenant is left out, as in Arbiter. */
async function knownSession(tenant: V1Request["tenant"], given: string | null): Promise<string | undefined> {
  const id = SessionID.safeParse(given)
  return id.success && (await tenant.hasSession(id.data)) ? id.data : undefined
}

/** Epoch seconds as milliseconds, `plus` of them later; undefined for none. */
function moment(seconds: string | null, plus = 0): number | undefined {
  return /^[1-9]\d{0,11}$/.test(seconds ?? "") ? Number(seconds) * 1_000 + plus : undefined
}

function limitOf(given: string | null): number {
  return /^[1-9]\d{0,8}$/.test(given ?? "") ? Math.min(Number(given), limits.max) : limits.default
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
