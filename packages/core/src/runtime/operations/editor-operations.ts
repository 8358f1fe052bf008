import { z } from "zod"
import { EditorAnswer } from "../../ground/schema/index.ts"
import { notRecorded } from "./audit-rule.ts"
import { SessionInput } from "./input.ts"
import { mutation } from "./operation.ts"

/** What editors know and do. */
export const editorOperations = {
  /**
   * Answers `editor.asked`, which comes to those who subscribed as an `editor`. `awaited` is false when nobody waits for it
   * any more.
   */
  answer: mutation({
    capability: "prompt",
    audit: notRecorded("an agent reads it, and its transcript has it"),
    input: SessionInput.extend({ askID: z.string().max(64), answer: EditorAnswer }),
    run: async ({ editor }, { sessionID, askID, answer }) => ({
      awaited: await editor.answer(sessionID, askID, answer),
    }),
  }),
}
