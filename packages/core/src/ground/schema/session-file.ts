import { z } from "zod"
import { ContentHash } from "./attachment.ts"
import { PartID, SessionID } from "./ids.ts"
import { MessageWithParts } from "./message.ts"
import { ReviewComment, ReviewThread, ReviewVerdict, ReviewViewed } from "./review.ts"
import { Session } from "./session.ts"
import { Task } from "./task.ts"
import { Todo, TodoChange } from "./todo.ts"
import { Turn } from "./turn.ts"

/** The format and version in a file of a session tree. Files of a later version may not be readable. */
export const sessionFileFormat = { format: "docket.session", version: 1 } as const

/** An ended turn. Its input is left out, because it stands in the transcript. */
export const FileTurn = Turn.omit({ input: true, owner: true })
export type FileTurn = z.infer<typeof FileTurn>

/** A session with everything that belongs to it: the transcript in order, todo changes newest first. */
export const FileSession = z.object({
  session: Session,
  todos: z.array(Todo),
  todoChanges: z.array(TodoChange),
  turns: z.array(FileTurn),
  messages: z.array(MessageWithParts),
})
export type FileSession = z.infer<typeof FileSession>

/** The full output of a call that was too long for its model. */
export const FileOutput = z.object({ partID: PartID, text: z.string() })
export type FileOutput = z.infer<typeof FileOutput>

/** A content that parts of the tree name by its hash. */
export const FileAttachment = z.object({
  hash: ContentHash,
  mime: z.string().max(200),
  name: z.string().max(1_000),
  /** In base64. */
  data: z.string(),
})
export type FileAttachment = z.infer<typeof FileAttachment>

/** A whole session tree as one file, root first. Nothing in it is still going on. */
export const SessionFile = z.object({
  format: z.literal(sessionFileFormat.format),
  version: z.literal(sessionFileFormat.version),
  /** Whether secrets were replaced and private data was left out. */
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
  /** Absent in a file without contents, such as a sanitized one. */
  attachments: z.array(FileAttachment).optional(),
})
export type SessionFile = z.infer<typeof SessionFile>
