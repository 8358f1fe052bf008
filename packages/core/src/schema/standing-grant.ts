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
  /** The request that was answered with it. Neither it nor its session need be there any more. */
  origin: z.object({
    requestID: PermissionID,
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
