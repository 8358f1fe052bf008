import type { z } from "zod"
import { isRecord } from "./is-record.ts"

export interface ValidPart<T> {
  /** The valid part of the value; null when no part is valid. */
  data: T | null
  issues: readonly z.core.$ZodIssue[]
}

/**
 * Without the address that it is meant for, a provider's key would go to another one: all its options are left out
 * together. So is a command with its template.
 */
function keyToLeaveOut(path: readonly PropertyKey[]): readonly PropertyKey[] {
  if (path[0] === "command" && path[2] === "template") return path.slice(0, 2)
  // Without its condition a hook would run for everything: the one that is wrong is left out whole.
  if (path[0] === "hooks") return path.slice(0, path[3] === "hooks" ? 5 : 3)
  // A plugin goes with its options.
  if (path[0] === "plugin") return path.slice(0, 2)
  return path[0] === "provider" && path[2] === "options" ? path.slice(0, 3) : path
}

function leaveOut(value: unknown, path: readonly PropertyKey[]): void {
  const key = path.at(-1)
  const parent = path.slice(0, -1).reduce((at, segment) => Reflect.get(Object(at), segment), value)
  if (Array.isArray(parent) && typeof key === "number") parent.splice(key, 1)
  else if (isRecord(parent) && key !== undefined) Reflect.deleteProperty(parent, key)
}

/** Values that a file may hold. Zod describes each wrong one, which takes gigabytes for a million of them. */
const mostValues = 20_000

/** How many values are in a value; it stops counting when there are more than `mostValues`. */
function valuesIn(value: unknown): number {
  let count = 0
  const waiting = [value]
  while (waiting.length > 0 && count <= mostValues) {
    count += 1
    const next = waiting.pop()
    if (typeof next !== "object" || next === null) continue
    const inner = Object.values(next)
    if (inner.length > mostValues) return inner.length
    waiting.push(...inner)
  }
  return count
}

/** Parses a value and leaves out each key that the schema refuses, so that the rest still counts. */
export function keepValid<T>(schema: z.ZodType<T>, value: unknown): ValidPart<T> {
  if (valuesIn(value) > mostValues) {
    const message = `it holds more than ${mostValues.toLocaleString("en-US")} values`
    return { data: null, issues: [{ code: "custom", path: [], message }] }
  }
  const first = schema.safeParse(value)
  if (first.success) return { data: first.data, issues: [] }
  const { issues } = first.error
  const copy = structuredClone(value)
  const paths = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => [...issue.path, key])
      : [[...keyToLeaveOut(issue.path)]],
  )
  // Once each. Backwards, because what follows an item that leaves a list moves up.
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]))
  for (const path of [...distinct.values()].toReversed()) leaveOut(copy, path)
  const second = schema.safeParse(copy)
  return { data: second.success ? second.data : null, issues }
}
