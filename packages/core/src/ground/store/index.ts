export {
  AlreadyMadeError,
  CommentSentError,
  DocketError,
  isDocketError,
  StaleTurnError,
  TaskDeliveredError,
  UnknownTreeError,
} from "../error/docket-error.ts"
export { idCount, idTime } from "../id/id-time.ts"
export { roundCost, totalTokens } from "../message/usage.ts"
export type { SessionListItem } from "../schema/index.ts"
export { taskSummary } from "../schema/task.ts"
export {
  asksOf,
  changedComment,
  changedList,
  changedSession,
  isSessionChange,
  newRows,
  type SessionChange,
} from "./changed-rows.ts"
export { createInMemoryDatabase } from "./in-memory/create-in-memory-database.ts"
export { createInMemoryStore } from "./in-memory/create-in-memory-store.ts"
export type * from "./port/index.ts"
export {
  type AnyRecord,
  type Cell,
  type CellOf,
  type CellsOf,
  type ColumnType,
  cellsOf,
  columnText,
  type GivenOf,
  type RowOf,
  storedCell,
  type ValueOf,
} from "./record/define-record.ts"
export { memoryRows } from "./record/memory.ts"
export { grantStore } from "./record/permission.ts"
export { type RecordName, recordPorts, records } from "./record/records.ts"
export { DuplicateError, MissingParentError, type Page, type RecordQuery, type Where } from "./record/records-port.ts"
export { draftStore, uncountedParts } from "./record/review.ts"
export { scheduleRows } from "./record/schedule.ts"
export { authorOf, byCreation, isCompactionSummary, listCursor, onlyReader, parseListCursor } from "./record/session.ts"
export { auditRows, auditText, hasAuditText } from "./record/tenant.ts"
export { todoRank } from "./record/todo.ts"
export { claimedTurn, hasToWait } from "./record/turn.ts"
export { webhookRows, withheldDelivery } from "./record/webhook.ts"
export {
  callState,
  isSaid,
  parseSearchCursor,
  partDocument,
  type SearchDocument,
  searchCursor,
  searchedText,
  titleDocument,
} from "./search-document.ts"
export { deliveredTask, isUndelivered } from "./task-ends.ts"
