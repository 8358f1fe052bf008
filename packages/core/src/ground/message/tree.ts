export { applyEvent } from "./apply-event.ts"
export {
  addPage,
  type PageInput,
  replacePart,
  type SnapshotInput,
  type TranscriptWindow,
  type TreeState,
  treeFromSnapshot,
} from "./tree-state.ts"
