import { DocketError } from "../../ground/error/docket-error.ts"
import type { Memory, MemoryType, Session } from "../../ground/schema/index.ts"
import type { MemoryService } from "./memory-service.ts"

/** Most entries that a search or list returns to a model. */
const listLength = 20

/** The memory for an agent of a session: only the entries that its conversation sees. */
export interface SessionMemory {
  /** `lasting` keeps the entry for all later sessions of the project; otherwise it belongs to the conversation. */
  add(input: {
    type: MemoryType
    title: string
    content: string
    tags?: string[] | undefined
    source?: string | undefined
    lasting: boolean
  }): Promise<Memory>
  search(q: string, types?: MemoryType[]): Promise<Memory[]>
  list(types?: MemoryType[]): Promise<Memory[]>
  /** @throws memory_not_found */
  get(number: number): Promise<Memory>
  /** @throws memory_not_found, also when the entry is invalidated */
  invalidate(number: number): Promise<Memory>
}

export interface SessionMemoryDeps {
  memory: MemoryService
  sessionByID(id: string): Promise<Pick<Session, "rootID" | "projectID">>
}

export function createSessionMemory(
  { memory, sessionByID }: SessionMemoryDeps,
  { sessionID, agent }: { sessionID: string; agent: string },
): SessionMemory {
  const get = async (number: number) => {
    const [found, session] = [await memory.get(number), await sessionByID(sessionID)]
    if (isSeenBy(found, session)) return found
    // The same error as for a missing entry, because it may belong to another project.
    throw new DocketError("memory_not_found", `There is no memory #${number}, or it no longer holds.`)
  }
  return {
    async add({ lasting, ...input }) {
      const { projectID } = await sessionByID(sessionID)
      return memory.create({ ...input, ...(lasting ? { projectID } : { sessionID }), agent })
    },
    search: (q, types) => memory.search({ sessionID, q, prefer: { types }, limit: listLength }),
    list: (types) => memory.search({ sessionID, types, limit: listLength }),
    get,
    invalidate: async (number) => memory.invalidate((await get(number)).id),
  }
}

function isSeenBy(memory: Memory, session: Pick<Session, "rootID" | "projectID">): boolean {
  if (memory.sessionID !== null) return memory.sessionID === session.rootID
  return memory.projectID === null || memory.projectID === session.projectID
}
