import type { Memory } from "@docket/core/schema"
import { type MemoryStore, MissingParentError, memoryRows, type Records, records } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList } from "../row/stored.ts"
import { data, type StoreScope } from "./store-scope.ts"

type MemoryQuery = Parameters<MemoryStore["list"]>[0]

export function memoryStore(scope: StoreScope, rows: Records): MemoryStore {
  const { tenantID, read } = scope
  return {
    ...memoryRows(rows),
    put: (value) => putMemory(scope, value),
    async list(query) {
      const where = {
        tenantID,
        ...(query.all !== true && { invalidated: false }),
        ...(query.types && { type: { in: query.types } }),
        ...(query.tag !== undefined && { tags: { some: { tag: tagText(query.tag) } } }),
        ...visibility(query),
      }
      const found = await read(({ memory }) =>
        memory.findMany({ where, orderBy: [{ created: "desc" }, { id: "desc" }], take: query.limit, select: data }),
      )
      return storedList(scope, records.Memory, found)
    },
  }
}

async function putMemory({ tenantID, write }: StoreScope, value: Memory): Promise<void> {
  const row = rowOf(records.Memory, { tenantID }, value)
  const where = { tenantID_id: { tenantID, id: value.id } }
  const tags = [...new Set(value.tags.map(tagText))].map((tag) => ({ tenantID, memoryID: value.id, tag }))
  try {
    await write((client) =>
      client.$transaction([
        client.memory.upsert({ where, create: row, update: row, select: { id: true } }),
        client.memoryTag.deleteMany({ where: { tenantID, memoryID: value.id } }),
        client.memoryTag.createMany({ data: tags }),
      ]),
    )
  } catch (error) {
    if (!(error instanceof MissingParentError)) throw error
    throw records.Memory.orphan?.(value) ?? error
  }
}

/** A tag in the form in which its column stores it. */
function tagText(tag: string): string {
  return encodeURIComponent(tag.toWellFormed())
}

/** The places whose entries a list shows: an entry has to be in one of them. Without a place, all entries are shown. */
function visibility({ projectID, sessionID }: MemoryQuery) {
  if (projectID === undefined && sessionID === undefined) return {}
  return {
    OR: [
      { projectID: null, sessionID: null },
      ...(sessionID === undefined ? [] : [{ sessionID }]),
      ...(projectID === undefined ? [] : [{ projectID, ...(sessionID !== undefined && { sessionID: null }) }]),
    ],
  }
}
