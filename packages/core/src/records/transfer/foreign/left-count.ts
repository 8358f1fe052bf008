import { typedTitle } from "../../session/title-from.ts"
import type { LeftOut } from "../transfer-service.ts"

/** Counts what has no place here, by what it is. */
export interface LeftCount {
  add(what: string, count?: number): void
  list(): LeftOut[]
}

export function createLeftCount(): LeftCount {
  const counts = new Map<string, number>()
  return {
    add(named, count = 1) {
      // Names of the file may be in it.
      const what = typedTitle(named)
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count)
    },
    list: () => [...counts].map(([what, count]) => ({ what, count })),
  }
}
