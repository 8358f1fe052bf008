import { z } from "zod"
import { Caller } from "./caller.ts"
import { idOf, MessageID, SessionID } from "./ids.ts"

/** A place in a transcript that a person wants to find again. */
export const Bookmark = z.object({
  id: idOf("bookmark"),
  sessionID: SessionID,
  messageID: MessageID,
  by: Caller,
  time: z.object({ created: z.number() }),
})
export type Bookmark = z.infer<typeof Bookmark>
