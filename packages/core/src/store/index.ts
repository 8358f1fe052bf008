export { DocketError, isDocketError, StaleTurnError, UnknownTreeError } from "../error.ts"
export { totalTokens } from "../message/token-usage.ts"
export { claimedTurn } from "./claimed-turn.ts"
export { isCompactionSummary } from "./compaction-summary.ts"
export { createMemoryStore } from "./memory/create-memory-store.ts"
export type {
  Change,
  FeedStore,
  MessagePage,
  Mutation,
  Page,
  PermissionGrant,
  PermissionStore,
  ProjectStore,
  SessionListItem,
  SessionPatch,
  SessionStore,
  ShareStore,
  Store,
  MemoryStore,
  ScheduleStore,
  TaskStore,
  TodoScope,
  TodoStore,
  TranscriptStore,
  TreeBatch,
  TurnStore,
  WriteStore,
} from "./port.ts"
export { byCreation, listCursor, parseListCursor } from "./session-order.ts"
