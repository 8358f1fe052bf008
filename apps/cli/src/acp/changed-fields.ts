import { isDeepStrictEqual } from "node:util"

/** The fields of `next` that differ from those of `last`; null when none does. What an update leaves out stays as it is. */
export function changedFields<T extends object>(last: Partial<T>, next: T): Partial<T> | null {
  const changed = Object.entries(next).filter(([key, value]) => !isDeepStrictEqual(value, Reflect.get(last, key)))
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<T>)
}
