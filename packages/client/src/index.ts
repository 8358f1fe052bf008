export type { AppRouter } from "@docket/api/router"
export type { DocketErrorCode } from "@docket/core"
export type {
  FeedItem,
  Message,
  MessageWithParts,
  Part,
  PermissionRequest,
  Presence,
  Project,
  Session,
  SessionListItem,
  Task,
  TaskSummary,
  Todo,
  Turn,
} from "@docket/core/schema"
export {
  addPage,
  applyEvent,
  replacePart,
  type TranscriptWindow,
  type TreeState,
  treeFromSnapshot,
} from "@docket/core/tree"
export { type DocketClientError, docketCode, httpStatus, isClientError, retryAfter } from "./client-error.ts"
export { createDocketClient, type DocketClient, type DocketClientOptions } from "./create-docket-client.ts"
export { importMessage } from "./import-message.ts"
export type { DocketInputs, DocketOutputs } from "./router-types.ts"
export { sentStore } from "./sent-store.ts"
export { type ExportWanted, exportPath, importFile } from "./session-file.ts"
export { type ConnectionState, type SubscribeTreeOptions, subscribeTree } from "./subscribe-tree.ts"
export { type TreeSeed, treeFromSeed } from "./tree-seed.ts"
export { createTreeStore, type TreeStore, type TreeStoreOptions, type TreeView } from "./tree-store.ts"
