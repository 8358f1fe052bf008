import type { RecordPorts } from "../record/records.ts"
import type { Records } from "../record/records-port.ts"
import type { ScheduleStore } from "../record/schedule.ts"
import type { ShareCopyStore } from "./share-copy-store.ts"
import type {
  AuditStore,
  FeedStore,
  MemoryStore,
  PermissionStore,
  ReviewStore,
  SearchStore,
  SessionStore,
  TaskStore,
  TodoStore,
  TranscriptStore,
  TreeStore,
  TurnStore,
  WriteStore,
} from "./table-stores.ts"
import type { WebhookStore } from "./webhook-store.ts"

/** Everything the runtime stores, of one tenant. */
export interface Store extends RecordPorts {
  records: Records
  write: WriteStore
  feed: FeedStore
  session: SessionStore
  tree: TreeStore
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
  schedule: ScheduleStore
  webhook: WebhookStore
  /** Does nothing when the store came of a `TenantDatabase`, which is closed as a whole. */
  close(): Promise<void>
}
