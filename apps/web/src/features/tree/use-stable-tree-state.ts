"use client"

import type { TreeStore, TreeView } from "@docket/client"
import { useTreeState } from "@docket/client/react"
import { useRef } from "react"

/**
 * Like `useTreeState` for values that `select` creates anew: returns the previous array or map while its entries are
 * the same, so that text streaming elsewhere in the tree causes no render.
 */
export function useStableTreeState<T extends object>(store: TreeStore, select: (view: TreeView) => T): T {
  const last = useRef<T | null>(null)
  return useTreeState(store, (view) => {
    const next = select(view)
    if (last.current === null || !sameEntries(last.current, next)) last.current = next
    return last.current
  })
}

function sameEntries(a: object, b: object): boolean {
  const left = Object.entries(a)
  const right = new Map(Object.entries(b))
  return left.length === right.size && left.every(([name, value]) => right.get(name) === value)
}
