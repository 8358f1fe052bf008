import { type ParseError, parseTree, stripComments } from "jsonc-parser"
import { isRecord } from "./is-record.ts"
import { jsonValue } from "./json-tree.ts"
import { isReference, keepsSecrets, withoutLogin, withoutSecrets } from "./shown-value.ts"

/** Where OpenCode has what its servers of tools are given; Docket reads its files too. */
const alsoSecret = new Set(["headers", "environment"])
const secret = Symbol("secret")

/**
 * The text of a docket.json or opencode.json without what lets somebody in: the values that no page shows, and comments,
 * where an old key may stand. References to variables and files stay. `left` names what is missing; the text is as it was
 * when nothing is. Null for a text that cannot be read: nobody knows what is in it.
 */
export function withoutConfigSecrets(text: string): { text: string; left: string[] } | null {
  try {
    const errors: ParseError[] = []
    const tree = parseTree(text, errors, { allowTrailingComma: true })
    if (tree === undefined || errors.length > 0) return null
    const missing = new Set<string>()
    const kept = without(jsonValue(tree).value, [], missing)
    if (stripComments(text) !== text) missing.add("comments")
    if (missing.size === 0) return { text, left: [] }
    return { text: `${JSON.stringify(kept, null, 2)}\n`, left: [...missing] }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function without(value: unknown, path: readonly string[], missing: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, path, missing)).filter((item) => item !== secret)
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([key, item]) => {
      const name = withoutSecrets(key)
      return [name, without(item, [...path, key], missing)] as const
    })
    return Object.fromEntries(entries.filter(([, item]) => item !== secret))
  }
  if (typeof value !== "string" || value === "" || isReference(value)) return value
  const name = path.map(withoutSecrets).join(".")
  if (keepsSecrets(path) || path.some((key) => alsoSecret.has(key))) {
    missing.add(name)
    return secret
  }
  const safe = withoutSecrets(withoutLogin(value))
  if (safe !== value) missing.add(name)
  return safe
}
