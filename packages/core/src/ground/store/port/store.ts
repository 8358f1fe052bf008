import type { RecordPorts } from "../record/records.ts"
import type { Records } from "../record/records-port.ts"
import type { AuditStore } from "./audit-store.ts"
import type { FeedStore } from "./feed-store.ts"
import type { MemoryStore } from "./memory-store.ts"
import type { PermissionStore } from "./permission-store.ts"
import type { ReviewStore } from "./review-store.ts"
import type { SearchStore } from "./search-store.ts"
import type { SessionStore } from "./session-store.ts"
import type { ShareCopyStore } from "./share-copy-store.ts"
import type { TaskStore } from "./task-store.ts"
import type { TodoStore } from "./todo-store.ts"
import type { TranscriptStore } from "./transcript-store.ts"
import type { TurnStore } from "./turn-store.ts"
import type { WebhookStore } from "./webhook-store.ts"
import type { WriteStore } from "./write-store.ts"

/** Everything the runtime stores, of one tenant. */
export interface Store extends RecordPorts {
  records: Records
  write: WriteStore
  feed: FeedStore
  session: SessionStore
  transcript: TranscriptStore
  search: SearchStore
  todo: TodoStore
  permission: PermissionStore
  turn: TurnStore
  shareCopy: ShareCopyStore
  audit: AuditStore
  task: TaskStore
  memory: MemoryStore
  review: ReviewStore
  webhook: WebhookStore
  /** Does nothing when the store came of a `TenantDatabase`, which is closed as a whole. */
  close(): Promise<void>
}
