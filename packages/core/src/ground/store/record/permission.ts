import { z } from "zod"
import { UnknownTreeError } from "../../error/docket-error.ts"
import { Caller, PermissionMetadata, PermissionRequest, StandingGrant } from "../../schema/index.ts"
import type { PermissionGrant, PermissionStore } from "../port/table-stores.ts"
import { defineRecord } from "./define-record.ts"
import type { Records } from "./records-port.ts"

export const permissionRecord = defineRecord({
  name: "PermissionRequest",
  words: ["request for leave", "requests for leave"],
  schema: PermissionRequest,
  owner: "session",
  columns: {
    rootID: "word",
    sessionID: "word",
    seq: "integer",
    status: "word",
    permission: "text",
    created: "number",
    replied: "number?",
  },
  given: ["rootID", "seq"],
  values: ({ time }) => ({ created: time.created, replied: time.replied }),
  upcasts: [namePermissionKind],
})

const StoredGrant: z.ZodType<PermissionGrant> = z.object({
  id: z.string(),
  rootID: z.string(),
  sessionID: z.string().optional(),
  permission: z.string(),
  pattern: z.string(),
  requestID: z.string().optional(),
  agent: z.string().optional(),
  by: Caller.optional(),
  createdAt: z.number(),
})

export const grantRecord = defineRecord({
  name: "PermissionGrant",
  words: ["answer “always” of a session", "answers “always” of sessions"],
  schema: StoredGrant,
  owner: "tree",
  columns: { rootID: "word", permission: "text", pattern: "text", createdAt: "number" },
  orphan: ({ rootID }) => new UnknownTreeError(rootID),
})

export const standingGrantRecord = defineRecord({
  name: "StandingGrant",
  words: ["answer “always” that stands", "answers “always” that stand"],
  schema: StandingGrant,
  owner: "tenant",
  columns: { projectID: "word?", permission: "text", created: "number" },
  values: ({ time }) => ({ created: time.created }),
})

/** The part of the port that is about grants. */
export function grantStore(
  records: Records,
): Pick<PermissionStore, "grants" | "addGrants" | "newestGrants" | "removeGrant"> {
  return {
    grants: (rootID) => records.find(grantRecord, { where: { rootID }, order: ["createdAt", "id"] }),
    addGrants: (grants) => records.put(grantRecord, grants),
    newestGrants: (limit) => records.find(grantRecord, { order: ["-createdAt", "-id"], limit }),
    removeGrant: async (id) => (await records.remove(grantRecord, { id })) > 0,
  }
}

/** The grants that apply beyond one tree of sessions. */
export interface StandingGrantStore {
  put(grant: StandingGrant): Promise<void>
  /** The grants that apply in a project: its own and those for every project, oldest first. */
  of(projectID: string): Promise<StandingGrant[]>
  /** The grants of all projects, newest first. */
  newest(limit: number): Promise<StandingGrant[]>
  /** False when there is none of that id. */
  remove(id: string): Promise<boolean>
}

export function standingGrantStore(records: Records): StandingGrantStore {
  return {
    put: (grant) => records.put(standingGrantRecord, [grant]),
    of: (projectID) =>
      records.find(standingGrantRecord, { either: [{ projectID: null }, { projectID }], order: ["created", "id"] }),
    newest: (limit) => records.find(standingGrantRecord, { order: ["-created", "-id"], limit }),
    remove: async (id) => (await records.remove(standingGrantRecord, { id })) > 0,
  }
}

/** The first form of a request stored its subject without its kind. */
function namePermissionKind({ metadata, ...rest }: Record<string, unknown>): Record<string, unknown> {
  // Parsed below, whatever it is.
  const older: Record<string, unknown> = { ...(metadata as object | null) }
  const { permission, patterns } = rest
  const named = kinds(String(permission), Array.isArray(patterns) ? patterns : [], older)
  const read = named.map((candidate) => PermissionMetadata.safeParse(candidate).data)
  return { ...rest, metadata: read.find((found) => found !== undefined) ?? { ...older, kind: "other" } }
}

/** The possible kinds of a request of that time, the likeliest first. */
function kinds(permission: string, patterns: unknown[], older: Record<string, unknown>): object[] {
  const command = { ...older, kind: permission === "schedule" ? "schedule" : "command" }
  switch (permission) {
    case "doom_loop":
      return [{ ...older, kind: "repeat", times: 3 }]
    case "task":
      // `agent` was overwritten with the one that asked.
      return [{ ...older, kind: "task", agent: patterns[0] }]
    case "edit":
      return [{ ...older, kind: "change" }, command]
    case "read":
      return [{ kind: "files", files: older.files ?? [older.file] }, command]
    case "list":
    case "external_directory":
      return [{ ...older, kind: "path" }, command]
    case "glob":
    case "grep":
      return [{ ...older, kind: "search" }]
    default:
      return [command]
  }
}
