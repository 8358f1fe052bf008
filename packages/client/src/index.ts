export type { AppRouter, SharedTree, ShareReader, ShareSummary, ShareVisitor } from "@docket/api"
export {
  addPage,
  applyEvent,
  replacePart,
  type TranscriptWindow,
  type TreeState,
  treeFromSnapshot,
} from "@docket/core/tree"
export { type DocketClientError, docketCode, httpStatus, isClientError } from "./client-error.ts"
export { createDocketClient, type DocketClient, type DocketClientOptions } from "./create-docket-client.ts"
export { type ConnectionState, type SubscribeTreeOptions, subscribeTree } from "./subscribe-tree.ts"
export { createTreeStore, type TreeStore, type TreeStoreOptions, type TreeView } from "./tree-store.ts"
