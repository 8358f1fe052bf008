import { z } from "zod"
import { PartID } from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { inSession, SessionInput } from "./input.ts"
import { mutation, query } from "./operation.ts"

/** The plan file of plan mode. */
export const planOperations = {
  /** The session's plan as it stands in its file. `null` before it is written. */
  get: query({
    input: SessionInput,
    needs: "contents-if-away",
    run: ({ plan }, { sessionID }) => plan.get(sessionID),
  }),

  /** Writes the plan as a person edited it. `version` is that of the text that was edited. */
  write: mutation({
    capability: "prompt",
    audit: records("plan.edited"),
    input: SessionInput.extend({ text: z.string().max(1_000_000), version: z.string().max(100) }),
    run: ({ plan }, { sessionID, ...edited }) => plan.write(sessionID, edited),
  }),

  /** Makes todos of the plan's steps, each once. `partID` is the call that presented the plan. */
  makeTodos: mutation({
    capability: "todo.edit",
    audit: records("todo.edited"),
    input: SessionInput.extend({ partID: PartID.nullable().default(null) }),
    target: inSession,
    run: ({ plan }, { sessionID, partID }) => plan.makeTodos(sessionID, partID),
  }),
}
