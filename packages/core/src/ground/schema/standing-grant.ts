import { z } from "zod"
import { Caller } from "./caller.ts"
import { GrantID, PermissionID, ProjectID, SessionID } from "./ids.ts"

/** What a person allowed with "always" beyond one tree of sessions: in a project, or everywhere. */
export const StandingGrant = z.object({
  id: GrantID,
  /** Null: in every project. */
  projectID: ProjectID.nullable(),
  permission: z.string(),
  patterns: z.array(z.string()),
  /** Where it was given. Its session need not be there any more. */
  origin: z.object({
    /** The request that was answered with it, which may be gone, too; null where nothing was asked. */
    requestID: PermissionID.nullable(),
    rootID: SessionID,
    sessionID: SessionID,
    /** Title of the root session then. */
    title: z.string(),
    agent: z.string(),
  }),
  by: Caller.optional(),
  time: z.object({ created: z.number() }),
})
export type StandingGrant = z.infer<typeof StandingGrant>
