export { accessTable, type Capability } from "./access-table.ts"
export type { Asker } from "./asker.ts"
export { type AuditRule, notRecorded, type RecordedAct, records } from "./audit-rule.ts"
export { type CoreOperations, coreOperations } from "./core-operations.ts"
export { SessionInput, sizeOf } from "./input.ts"
export {
  type AnyOperation,
  isOperation,
  type Kind,
  listOperations,
  type Operation,
  type OperationTree,
  type QueryParameter,
  type Rest,
  type RestRequest,
  type SaidRest,
} from "./operation.ts"
export { SubmitInput } from "./session-prompt-operations.ts"
export { MessagesInput } from "./session-transcript-operations.ts"
export type { MadeLink } from "./share-operations.ts"
export type { Imported } from "./transfer-operations.ts"
