import { z } from "zod"
import { MessageID, SessionID } from "../../ground/schema/index.ts"
import { notRecorded } from "./audit-rule.ts"
import { SessionInput } from "./input.ts"
import { mutation, query } from "./operation.ts"

/** The most steps in one diff: each is read from the database. */
const maxSteps = 200

/** A file, and the steps whose changes of it are meant. */
const FileInput = SessionInput.extend({
  path: z.string().min(1).max(4_096),
  steps: z
    .array(z.object({ sessionID: SessionID, messageID: MessageID }))
    .min(1)
    .max(maxSteps),
})

/** The files that a tree changed. */
export const changesOperations = {
  /** Which files each step of the tree changed, oldest first. Commands count too. */
  list: query({ input: SessionInput, run: ({ changes }, { sessionID }) => changes.list(sessionID) }),

  /** How much the tree changed, in all and by each prompt: lines, files, and the figures of each file. */
  summary: query({ input: SessionInput, run: ({ changes }, { sessionID }) => changes.summary(sessionID) }),

  /** The diff of one file over the steps that you name. */
  diff: query({
    input: FileInput,
    run: ({ changes }, { sessionID, path, steps }) => changes.diff(sessionID, path, steps),
  }),

  /** One file before and after the steps that you name. */
  content: query({
    input: FileInput,
    run: ({ changes }, { sessionID, path, steps }) => changes.content(sessionID, path, steps),
  }),

  /**
   * Lets the agent `summary` write a title and a pull-request text for the tree's changes. Both are stored as
   * `described` of the root session.
   */
  describe: mutation({
    capability: "prompt",
    audit: notRecorded("writes a description beside the session, and changes no file"),
    input: SessionInput,
    idempotent: "remembered",
    member: true,
    run: ({ changes }, { sessionID }) => changes.describe(sessionID),
  }),
}
