import { z } from "zod"
import { PartID, SessionID } from "./ids.ts"
import { MessageWithParts } from "./message.ts"
import { ReviewComment, ReviewThread, ReviewVerdict, ReviewViewed } from "./review.ts"
import { Session } from "./session.ts"
import { Task } from "./task.ts"
import { Todo, TodoChange } from "./todo.ts"
import { Turn } from "./turn.ts"

/** What a file of a session tree says of itself. A later version may hold what this one cannot read. */
export const sessionFileFormat = { format: "docket.session", version: 1 } as const

/** A turn that is over: what it was asked stands in the transcript. */
export const FileTurn = Turn.omit({ input: true, owner: true })
export type FileTurn = z.infer<typeof FileTurn>

/** A session with all that belongs to it, transcript in order, todo changes newest first. */
export const FileSession = z.object({
  session: Session,
  todos: z.array(Todo),
  todoChanges: z.array(TodoChange),
  turns: z.array(FileTurn),
  messages: z.array(MessageWithParts),
})
export type FileSession = z.infer<typeof FileSession>

/** What a call put out that was too long for its model. */
export const FileOutput = z.object({ partID: PartID, text: z.string() })
export type FileOutput = z.infer<typeof FileOutput>

/** A whole session tree as one file, root first. Nothing in it is still going on. */
export const SessionFile = z.object({
  format: z.literal(sessionFileFormat.format),
  version: z.literal(sessionFileFormat.version),
  /** Secrets are replaced in it, and what is nobody else's business is left out. */
  sanitized: z.boolean(),
  rootID: SessionID,
  tasks: z.array(Task),
  reviews: z.object({
    threads: z.array(ReviewThread),
    comments: z.array(ReviewComment),
    verdicts: z.array(ReviewVerdict),
    viewed: z.array(ReviewViewed),
  }),
  sessions: z.array(FileSession).min(1),
  outputs: z.array(FileOutput),
})
export type SessionFile = z.infer<typeof SessionFile>
