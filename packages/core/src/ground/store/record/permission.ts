import { z } from "zod"
import { UnknownTreeError } from "../../error/docket-error.ts"
import { Caller, PermissionRequest, StandingGrant } from "../../schema/index.ts"
import type { PermissionGrant } from "../port/index.ts"
import { defineRecord } from "./define-record.ts"
import { namePermissionKind } from "./permission-kinds.ts"

export const permissionRecord = defineRecord({
  name: "PermissionRequest",
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
  schema: StoredGrant,
  owner: "tree",
  columns: { rootID: "word", permission: "text", pattern: "text", createdAt: "number" },
  orphan: ({ rootID }) => new UnknownTreeError(rootID),
})

export const standingGrantRecord = defineRecord({
  name: "StandingGrant",
  schema: StandingGrant,
  owner: "tenant",
  columns: { projectID: "word?", permission: "text", created: "number" },
  values: ({ time }) => ({ created: time.created }),
})
