import { z } from "zod"
import { PartID, SessionID } from "./ids.ts"

/** An editor that has a tree open and is asked about it. It chooses its id. */
export const EditorReader = z.object({
  id: z.string().regex(/^[\w-]{8,64}$/),
  /** Whether it runs the commands of agents in a terminal of its own, outside the sandbox. */
  hasTerminal: z.boolean(),
})
export type EditorReader = z.infer<typeof EditorReader>

/** What an editor is asked. Paths are absolute. */
export const EditorAsk = z.discriminatedUnion("kind", [
  /** The text of a file, which an agent reads or is about to change. */
  z.object({ kind: z.literal("read"), path: z.string() }),
  /** To run a shell command in a terminal, for a call of the session. */
  z.object({ kind: z.literal("run"), sessionID: SessionID, partID: PartID, command: z.string(), cwd: z.string() }),
])
export type EditorAsk = z.infer<typeof EditorAsk>

/** The most characters of a text that an editor sends. */
const maxText = 2_000_000

/** What an editor answers: `text` to `read`, one of the others to `run`. */
export const EditorAnswer = z.discriminatedUnion("kind", [
  /** The text of the file when it has changes that are not saved, else null. */
  z.object({ kind: z.literal("text"), text: z.string().max(maxText).nullable() }),
  /** The command ended. */
  z.object({
    kind: z.literal("ended"),
    output: z.string().max(maxText),
    /** The terminal dropped the beginning of the output. */
    isCut: z.boolean(),
    exit: z.int().nullable(),
    signal: z.string().max(40).nullable(),
  }),
  /** The terminal could not be opened. */
  z.object({ kind: z.literal("failed"), reason: z.string().max(2_000) }),
])
export type EditorAnswer = z.infer<typeof EditorAnswer>
