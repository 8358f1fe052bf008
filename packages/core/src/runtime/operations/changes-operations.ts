import { z } from "zod"
import { MessageID, SessionID } from "../../ground/schema/index.ts"
import { SessionInput } from "./input.ts"
import { query } from "./operation.ts"

/** The most steps in one diff: each is read from the database. */
const maxSteps = 200

/** The files that a tree changed. */
export const changesOperations = {
  /** Which files each step of the tree changed, oldest first. Commands count too. */
  list: query({ input: SessionInput, run: ({ changes }, { sessionID }) => changes.list(sessionID) }),

  /** The diff of one file over the steps that you name. */
  diff: query({
    input: SessionInput.extend({
      path: z.string().min(1).max(4_096),
      steps: z
        .array(z.object({ sessionID: SessionID, messageID: MessageID }))
        .min(1)
        .max(maxSteps),
    }),
    run: ({ changes }, { sessionID, path, steps }) => changes.diff(sessionID, path, steps),
  }),
}
