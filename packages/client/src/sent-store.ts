import type { TreeState } from "@docket/core/tree"
import type { TreeStore, TreeView } from "./tree-store.ts"

/** A store with the tree as the server sent it: nothing is loaded or followed. For pages that the server renders. */
export function sentStore(tree: TreeState): TreeStore {
  const view: TreeView = { tree, connection: "connecting", error: null, presence: null }
  return {
    get: () => view,
    getSent: () => view,
    begin: () => {},
    subscribe: () => () => {},
    open: async () => {},
    openLatest: async () => {},
    loadBefore: async () => false,
    loadAfter: async () => false,
    lookAt: () => {},
    close: () => {},
  }
}
