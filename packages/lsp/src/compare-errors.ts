import type { FileError } from "./read-diagnostics.ts"

export interface ComparedErrors {
  /** Errors that were not there before. */
  fresh: FileError[]
  /** How many were there before and still are. */
  old: number
  /** How many are gone. */
  gone: number
}

/**
 * Compares the errors of a file before and after a change, by what they say: lines move. Of several that say the same,
 * the last ones are the new ones.
 */
export function compareErrors(before: readonly FileError[], after: readonly FileError[]): ComparedErrors {
  const left = new Map<string, number>()
  for (const error of before) left.set(keyOf(error), (left.get(keyOf(error)) ?? 0) + 1)
  const fresh = after.filter((error) => {
    const known = left.get(keyOf(error)) ?? 0
    if (known > 0) left.set(keyOf(error), known - 1)
    return known === 0
  })
  const old = after.length - fresh.length
  return { fresh, old, gone: before.length - old }
}

function keyOf({ message, code }: FileError): string {
  return `${code} ${message}`
}
