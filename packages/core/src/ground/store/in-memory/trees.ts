import type { TreeStore } from "../port/index.ts"
import type { Tables } from "./tables.ts"

export function inMemoryTrees({ places }: Tables): TreeStore {
  return { place: async (rootID) => places.get(rootID) ?? null }
}
