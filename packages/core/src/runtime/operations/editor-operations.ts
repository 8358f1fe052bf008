import { z } from "zod"
import { notRecorded } from "./audit-rule.ts"
import { SessionInput } from "./input.ts"
import { mutation } from "./operation.ts"

/** The most characters of an unsaved text. */
const maxText = 2_000_000

/** What editors know of files. */
export const editorOperations = {
  /**
   * Answers `editor.asked`, which comes to those who subscribed as an `editor`: the text of the file when it has changes
   * that are not saved, else null. `awaited` is false when nobody waits for it any more.
   */
  answer: mutation({
    capability: "prompt",
    audit: notRecorded("an agent reads it, and its transcript has it"),
    input: SessionInput.extend({ path: z.string().max(4096), text: z.string().max(maxText).nullable() }),
    run: async ({ editor }, { sessionID, path, text }) => ({ awaited: await editor.answer(sessionID, path, text) }),
  }),
}
