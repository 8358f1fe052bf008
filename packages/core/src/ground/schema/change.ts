import type { Message } from "./message.ts"
import type { Part } from "./part.ts"
import type { PermissionRequest } from "./permission.ts"
import type { ReviewComment, ReviewThread, ReviewVerdict, ReviewViewed } from "./review.ts"
import type { Session } from "./session.ts"
import type { Task } from "./task.ts"
import type { Todo } from "./todo.ts"
import type { Turn } from "./turn.ts"

/**
 * A committed change with its place in the tree's sequence. The row holds the same `seq`. `created`: the session is
 * new. `quiet`: no event reports the change, because live readers have the text of the part from deltas.
 */
export type Change = { rootID: string; seq: number } & (
  | { kind: "session"; value: Session; created: boolean }
  | { kind: "message"; value: Message }
  | { kind: "part"; value: Part; quiet: boolean }
  | { kind: "todos"; sessionID: string; value: Todo[] }
  | { kind: "permission"; value: PermissionRequest }
  | { kind: "task"; value: Task }
  | { kind: "turn"; value: Turn }
  | { kind: "thread"; value: ReviewThread }
  | { kind: "comment"; value: ReviewComment }
  | { kind: "verdict"; value: ReviewVerdict }
  | { kind: "viewed"; value: ReviewViewed }
  | { kind: "session.removed"; sessionID: string }
  | { kind: "message.removed"; sessionID: string; messageID: string }
  | { kind: "part.removed"; sessionID: string; messageID: string; partID: string }
)
