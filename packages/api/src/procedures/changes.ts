import type { DiffPiece, TreeChanges } from "@docket/core"
import { MessageID, SessionID } from "@docket/core/schema"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"
import { SessionInput } from "./input.ts"

/** Steps of one diff; each is read from the database. */
const maxSteps = 200

const DiffInput = SessionInput.extend({
  path: z.string().min(1).max(4_096),
  steps: z
    .array(z.object({ sessionID: SessionID, messageID: MessageID }))
    .min(1)
    .max(maxSteps),
})

export const changesRouter = router({
  /** What the steps of the tree that contains the session did to which files, oldest first. */
  list: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<TreeChanges> => ctx.runtime.changes.list(input.sessionID)),

  /** The diff of one file over the named steps of that tree. */
  diff: allowed("read")
    .input(DiffInput)
    .query(
      ({ ctx, input }): Promise<DiffPiece[]> => ctx.runtime.changes.diff(input.sessionID, input.path, input.steps),
    ),
})
