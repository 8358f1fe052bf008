import { DocketError, UnknownTreeError } from "../../error/docket-error.ts"
import type { ConfigTrust, Project, StandingGrant } from "../../schema/index.ts"
import type { Store } from "../port/index.ts"
import { inMemoryAudit } from "./audit.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { inMemoryMemories } from "./memories.ts"
import { inMemoryReviews } from "./reviews.ts"
import { inMemorySchedules } from "./schedules.ts"
import { inMemorySearch } from "./search.ts"
import { inMemorySessions } from "./sessions.ts"
import { inMemoryShareCopies } from "./share-copies.ts"
import { createTables, type Tables } from "./tables.ts"
import { inMemoryTasks } from "./tasks.ts"
import { inMemoryTodos } from "./todos.ts"
import { inMemoryTranscript } from "./transcript.ts"
import { inMemoryWebhooks } from "./webhooks.ts"
import { inMemoryWrite } from "./write.ts"

/** A store in memory, for tests and throw-away runs. Values that it returns are frozen. */
export function createInMemoryStore(): Store {
  const tables = createTables()
  return {
    write: inMemoryWrite(tables),
    feed: {
      head: async (rootID) => (tables.sessions.has(rootID) ? (tables.heads.get(rootID) ?? 0) : null),
      async changesSince(rootID, seq, limit) {
        return (tables.logs.get(rootID)?.since(seq, limit) ?? []).map((change) => {
          if (change.kind === "part") return { ...change, quiet: false }
          if (change.kind !== "session") return change
          return { ...change, created: (tables.sessions.get(change.value.id)?.createdSeq ?? 0) > seq }
        })
      },
    },
    session: inMemorySessions(tables),
    transcript: inMemoryTranscript(tables),
    search: inMemorySearch(tables),
    todo: inMemoryTodos(tables),
    task: inMemoryTasks(tables),
    memory: inMemoryMemories(tables),
    schedule: inMemorySchedules(tables),
    review: inMemoryReviews(tables),
    permission: createPermissions(tables),
    standingGrant: createStandingGrants(),
    turn: {
      get: async (id) => tables.turns.get(id) ?? null,
      open: async ({ sessionID, rootID } = {}) =>
        [...tables.openTurns.values()]
          .filter((turn) => sessionID === undefined || turn.sessionID === sessionID)
          .filter((turn) => rootID === undefined || turn.rootID === rootID)
          .sort((a, b) => oldestFirst(a, b)),
      tree: async (rootID) =>
        [...tables.turns.values()].filter((turn) => turn.rootID === rootID).sort((a, b) => oldestFirst(a, b)),
    },
    project: createProjects(),
    share: {
      async put(share) {
        requireTree(tables, share.rootID)
        tables.shares.set(share.id, frozenCopy(share))
      },
      get: async (id) => tables.shares.get(id) ?? null,
      byHash: async (hash) => [...tables.shares.values()].find((share) => share.secretHash === hash) ?? null,
      list: async (rootID) =>
        [...tables.shares.values()]
          .filter((share) => rootID === undefined || share.rootID === rootID)
          .sort((a, b) => oldestFirst(b, a)),
    },
    shareCopy: inMemoryShareCopies(tables),
    trust: createTrusts(),
    audit: inMemoryAudit(),
    webhook: inMemoryWebhooks(tables),
    close: async () => {},
  }
}

function createPermissions(tables: Tables): Store["permission"] {
  return {
    get: async (id) => tables.permissions.get(id) ?? null,
    pending: async (rootID) =>
      [...tables.pendingPermissions.values()]
        .filter((request) => rootID === undefined || request.rootID === rootID)
        .sort(oldestFirst),
    answered: async (sessionID, limit) =>
      [...tables.permissions.values()]
        .filter((request) => request.sessionID === sessionID && request.time.replied !== null)
        .sort((a, b) => oldestFirst(b, a))
        .slice(0, limit),
    since: async ({ projectID, since, limit }) =>
      [...tables.permissions.values()]
        .filter(({ time }) => time.created >= since)
        .filter(({ sessionID }) => tables.sessions.get(sessionID)?.value.projectID === projectID)
        .sort((a, b) => oldestFirst(b, a))
        .slice(0, limit),
    grants: async (rootID) => [...(tables.grants.get(rootID) ?? [])],
    async addGrants(grants) {
      for (const grant of grants) requireTree(tables, grant.rootID)
      for (const grant of grants) {
        const others = (tables.grants.get(grant.rootID) ?? []).filter((other) => other.id !== grant.id)
        const list = [...others, frozenCopy(grant)]
        list.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        tables.grants.set(grant.rootID, list)
      }
    },
    newestGrants: async (limit) =>
      [...tables.grants.values()]
        .flat()
        .sort((a, b) => b.createdAt - a.createdAt || (a.id > b.id ? -1 : 1))
        .slice(0, limit),
    async removeGrant(id) {
      for (const [rootID, grants] of tables.grants) {
        const others = grants.filter((grant) => grant.id !== id)
        if (others.length === grants.length) continue
        tables.grants.set(rootID, others)
        return true
      }
      return false
    },
  }
}

function createStandingGrants(): Store["standingGrant"] {
  const grants = new Map<string, StandingGrant>()
  return {
    async put(grant) {
      grants.set(grant.id, frozenCopy(grant))
    },
    of: async (projectID) =>
      [...grants.values()]
        .filter((grant) => grant.projectID === null || grant.projectID === projectID)
        .sort(oldestFirst),
    newest: async (limit) => [...grants.values()].sort((a, b) => oldestFirst(b, a)).slice(0, limit),
    remove: async (id) => grants.delete(id),
  }
}

function createProjects(): Store["project"] {
  const projects = new Map<string, Project>()
  const byDirectory = (directory: string) =>
    [...projects.values()].find((project) => project.directory === directory) ?? null
  return {
    get: async (id) => projects.get(id) ?? null,
    byDirectory: async (directory) => byDirectory(directory),
    list: async () => [...projects.values()].sort((a, b) => b.time.opened - a.time.opened || (a.id > b.id ? -1 : 1)),
    async put(project) {
      const other = byDirectory(project.directory)
      if (other && other.id !== project.id) {
        throw new DocketError("invalid_input", `${project.directory} is already project ${other.id}; use that one`)
      }
      projects.set(project.id, frozenCopy(project))
    },
  }
}

function createTrusts(): Store["trust"] {
  /** By hash. */
  const trusts = new Map<string, ConfigTrust>()
  const of = (directory: string | undefined) =>
    [...trusts.values()].filter((trust) => directory === undefined || trust.directory === directory)
  return {
    list: async (directory) =>
      of(directory).sort((a, b) => b.time.trusted - a.time.trusted || (a.hash > b.hash ? -1 : 1)),
    async put(trust) {
      trusts.set(trust.hash, frozenCopy(trust))
    },
    async remove(directory) {
      for (const { hash } of of(directory)) trusts.delete(hash)
    },
  }
}

function requireTree(tables: Tables, rootID: string): void {
  if (tables.sessions.get(rootID)?.value.parentID !== null) throw new UnknownTreeError(rootID)
}

function oldestFirst(a: { id: string; time: { created: number } }, b: { id: string; time: { created: number } }) {
  return a.time.created - b.time.created || (a.id < b.id ? -1 : 1)
}
