/** Records the inverse of each change to the maps and sorted id lists, so that a failed commit leaves nothing. */
export interface UndoLog {
  set<K, V>(map: Map<K, V>, key: K, value: V): void
  delete<K, V>(map: Map<K, V>, key: K): void
  /** Inserts `id` into the ascending list at `key`; does nothing when it is there. */
  insert(lists: Map<string, string[]>, key: string, id: string): void
  remove(lists: Map<string, string[]>, key: string, id: string): void
  undo(): void
}

export function createUndoLog(): UndoLog {
  const inverse: (() => void)[] = []
  const restore = <K, V>(map: Map<K, V>, key: K): (() => void) => {
    const before = map.get(key)
    return before === undefined ? () => map.delete(key) : () => map.set(key, before)
  }
  return {
    set(map, key, value) {
      inverse.push(restore(map, key))
      map.set(key, value)
    },
    delete(map, key) {
      inverse.push(restore(map, key))
      map.delete(key)
    },
    insert(lists, key, id) {
      const list = lists.get(key) ?? []
      const index = firstNotBelow(list, id)
      if (list[index] === id) return
      lists.set(key, list)
      list.splice(index, 0, id)
      inverse.push(() => list.splice(firstNotBelow(list, id), 1))
    },
    remove(lists, key, id) {
      const list = lists.get(key) ?? []
      const index = firstNotBelow(list, id)
      if (list[index] !== id) return
      list.splice(index, 1)
      inverse.push(() => list.splice(firstNotBelow(list, id), 0, id))
    },
    undo() {
      for (const step of inverse.reverse()) step()
    },
  }
}

/** Index of the first element that is not smaller than `id` in an ascending list. */
export function firstNotBelow(list: readonly string[], id: string): number {
  let low = 0
  let high = list.length
  if (high === 0 || (list[high - 1] ?? "") < id) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? "") < id) low = middle + 1
    else high = middle
  }
  return low
}
