export {
  AlreadyMadeError,
  CommentSentError,
  DocketError,
  isDocketError,
  StaleTurnError,
  TaskToldError,
  UnknownTreeError,
} from "../error/docket-error.ts"
export { idCount, idTime } from "../id/id-time.ts"
export { roundCost, totalTokens } from "../message/token-usage.ts"
export type { SessionListItem } from "../schema/index.ts"
export { taskSummary } from "../schema/task-summary.ts"
export { auditText, hasAuditText } from "./audit-text.ts"
export { asksOf, changedComment } from "./changed-comment.ts"
export { changedList } from "./changed-list.ts"
export { changedSession, isSessionChange, type SessionChange } from "./changed-session.ts"
export { claimedTurn, hasToWait } from "./claimed-turn.ts"
export { isCompactionSummary } from "./compaction-summary.ts"
export { uncountedParts } from "./counted-parts.ts"
export { createInMemoryDatabase } from "./in-memory/create-in-memory-database.ts"
export { createInMemoryStore } from "./in-memory/create-in-memory-store.ts"
export { newRows } from "./new-rows.ts"
export type { Page } from "./page.ts"
export type * from "./port/index.ts"
export { authorOf, onlyReader } from "./private-tree.ts"
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
export { DuplicateError, MissingParentError, type RecordQuery, type Where } from "./record/records-port.ts"
export { draftStore } from "./record/review.ts"
export { auditRows } from "./record/tenant.ts"
export { webhookRows } from "./record/webhook.ts"
export { callState, partDocument, type SearchDocument, searchedText, titleDocument } from "./search-document.ts"
export { isSaid, parseSearchCursor, searchCursor } from "./search-fits.ts"
export { byCreation, listCursor, parseListCursor } from "./session-order.ts"
export { isUntold, toldTask } from "./task-ends.ts"
export { todoRank } from "./todo-order.ts"
export { withheldDelivery } from "./withheld-delivery.ts"
