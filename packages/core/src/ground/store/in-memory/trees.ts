import type { TreeStore } from "../port/index.ts"
import type { Tables } from "./tables.ts"

export function inMemoryTrees({ places }: Tables): TreeStore {
  return {
    place: async (rootID) => places.get(rootID) ?? null,
    async hold(rootID, nodeID) {
      const tree = places.get(rootID)
      if (tree !== undefined) places.set(rootID, { ...tree, holder: nodeID })
      return tree !== undefined
    },
    async letGo(rootID, nodeID) {
      const tree = places.get(rootID)
      if (tree?.holder !== nodeID) return false
      places.set(rootID, { ...tree, holder: "" })
      return true
    },
  }
}
