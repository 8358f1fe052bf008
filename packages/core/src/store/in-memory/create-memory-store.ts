import { DocketError, UnknownTreeError } from "../../error/docket-error.ts"
import type { Store } from "../port.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { createMemoryMemories } from "./memory-memories.ts"
import { createMemorySchedules } from "./memory-schedules.ts"
import { createMemorySessions } from "./memory-sessions.ts"
import { createMemoryState, type MemoryState } from "./memory-state.ts"
import { createMemoryTasks } from "./memory-tasks.ts"
import { createMemoryTodos } from "./memory-todos.ts"
import { createMemoryTranscript } from "./memory-transcript.ts"
import { createMemoryWrite } from "./memory-write.ts"

/** A store in memory, for tests and throw-away runs. Values that it returns are frozen. */
export function createMemoryStore(): Store {
  const state = createMemoryState()
  return {
    write: createMemoryWrite(state),
    feed: {
      head: async (rootID) => (state.sessions.has(rootID) ? (state.heads.get(rootID) ?? 0) : null),
      async changesSince(rootID, seq, limit) {
        return (state.logs.get(rootID)?.since(seq, limit) ?? []).map((change) => {
          if (change.kind === "part") return { ...change, quiet: false }
          if (change.kind !== "session") return change
          return { ...change, created: (state.sessions.get(change.value.id)?.createdSeq ?? 0) > seq }
        })
      },
    },
    session: createMemorySessions(state),
    transcript: createMemoryTranscript(state),
    todo: createMemoryTodos(state),
    task: createMemoryTasks(state),
    memory: createMemoryMemories(state),
    schedule: createMemorySchedules(state),
    permission: createPermissions(state),
    turn: {
      get: async (id) => state.turns.get(id) ?? null,
      open: async ({ sessionID, rootID } = {}) =>
        [...state.openTurns.values()]
          .filter((turn) => sessionID === undefined || turn.sessionID === sessionID)
          .filter((turn) => rootID === undefined || turn.rootID === rootID)
          .sort((a, b) => oldestFirst(a, b)),
    },
    project: createProjects(state),
    share: {
      async put(share) {
        requireTree(state, share.rootID)
        state.shares.set(share.id, frozenCopy(share))
      },
      get: async (id) => state.shares.get(id) ?? null,
      byHash: async (hash) => [...state.shares.values()].find((share) => share.secretHash === hash) ?? null,
      list: async (rootID) =>
        [...state.shares.values()].filter((share) => share.rootID === rootID).sort((a, b) => oldestFirst(b, a)),
    },
    trust: createTrusts(state),
    close: async () => {},
  }
}

function createPermissions(state: MemoryState): Store["permission"] {
  return {
    get: async (id) => state.permissions.get(id) ?? null,
    pending: async (rootID) =>
      [...state.pendingPermissions.values()]
        .filter((request) => rootID === undefined || request.rootID === rootID)
        .sort(oldestFirst),
    grants: async (rootID) => [...(state.grants.get(rootID) ?? [])],
    async addGrants(grants) {
      for (const grant of grants) requireTree(state, grant.rootID)
      for (const grant of grants) {
        const others = (state.grants.get(grant.rootID) ?? []).filter((other) => other.id !== grant.id)
        const list = [...others, frozenCopy(grant)]
        list.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        state.grants.set(grant.rootID, list)
      }
    },
  }
}

function createProjects(state: MemoryState): Store["project"] {
  const byDirectory = (directory: string) =>
    [...state.projects.values()].find((project) => project.directory === directory) ?? null
  return {
    get: async (id) => state.projects.get(id) ?? null,
    byDirectory: async (directory) => byDirectory(directory),
    list: async () =>
      [...state.projects.values()].sort((a, b) => b.time.opened - a.time.opened || (a.id > b.id ? -1 : 1)),
    async put(project) {
      const other = byDirectory(project.directory)
      if (other && other.id !== project.id) {
        throw new DocketError("invalid_input", `${project.directory} is already project ${other.id}; use that one`)
      }
      state.projects.set(project.id, frozenCopy(project))
    },
  }
}

function createTrusts(state: MemoryState): Store["trust"] {
  const of = (directory: string | undefined) =>
    [...state.trusts.values()].filter((trust) => directory === undefined || trust.directory === directory)
  return {
    list: async (directory) =>
      of(directory).sort((a, b) => b.time.trusted - a.time.trusted || (a.hash > b.hash ? -1 : 1)),
    async put(trust) {
      state.trusts.set(trust.hash, frozenCopy(trust))
    },
    async remove(directory) {
      for (const { hash } of of(directory)) state.trusts.delete(hash)
    },
  }
}

function requireTree(state: MemoryState, rootID: string): void {
  if (state.sessions.get(rootID)?.value.parentID !== null) throw new UnknownTreeError(rootID)
}

function oldestFirst(a: { id: string; time: { created: number } }, b: { id: string; time: { created: number } }) {
  return a.time.created - b.time.created || (a.id < b.id ? -1 : 1)
}
