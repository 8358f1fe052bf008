import type { AuditStore } from "./audit-store.ts"
import type { FeedStore } from "./feed-store.ts"
import type { MemoryStore } from "./memory-store.ts"
import type { PermissionStore, StandingGrantStore } from "./permission-store.ts"
import type { ProjectStore, TrustStore } from "./project-store.ts"
import type { ReviewStore } from "./review-store.ts"
import type { ScheduleStore } from "./schedule-store.ts"
import type { SearchStore } from "./search-store.ts"
import type { SessionStore } from "./session-store.ts"
import type { ShareCopyStore } from "./share-copy-store.ts"
import type { ShareStore } from "./share-store.ts"
import type { TaskStore } from "./task-store.ts"
import type { TodoStore } from "./todo-store.ts"
import type { TranscriptStore } from "./transcript-store.ts"
import type { TurnStore } from "./turn-store.ts"
import type { WebhookStore } from "./webhook-store.ts"
import type { WriteStore } from "./write-store.ts"

/** Everything the runtime stores, of one tenant. */
export interface Store {
  write: WriteStore
  feed: FeedStore
  session: SessionStore
  transcript: TranscriptStore
  search: SearchStore
  todo: TodoStore
  permission: PermissionStore
  standingGrant: StandingGrantStore
  turn: TurnStore
  project: ProjectStore
  share: ShareStore
  shareCopy: ShareCopyStore
  trust: TrustStore
  audit: AuditStore
  task: TaskStore
  memory: MemoryStore
  schedule: ScheduleStore
  review: ReviewStore
  webhook: WebhookStore
  /** Does nothing when the store came of a `TenantDatabase`, which is closed as a whole. */
  close(): Promise<void>
}
