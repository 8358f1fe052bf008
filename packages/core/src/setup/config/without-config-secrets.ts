import { type ParseError, stripComments } from "jsonc-parser"
import { isRecord } from "./is-record.ts"
import { jsonValue } from "./json-tree.ts"
import { readJsonTree } from "./read-json-tree.ts"
import { isReference, keepsSecrets, withoutLogin, withoutSecrets } from "./shown-value.ts"

/** Keys under which OpenCode keeps what it gives its tool servers (MCP); Docket reads its files too. */
const alsoSecret = new Set(["headers", "environment"])
const secret = Symbol("secret")

/**
 * The text of a docket.json or opencode.json without what lets somebody in: the values that no page shows, and comments,
 * where an old key may stand. References to variables and files stay. `left` names what is left out; without any, the
 * text is unchanged. Null for a text that cannot be read: nobody knows what is in it.
 */
export function withoutConfigSecrets(text: string): { text: string; left: string[] } | null {
  try {
    const errors: ParseError[] = []
    const tree = readJsonTree(text, errors)
    if (tree === undefined || errors.length > 0) return null
    const leftOut = new Set<string>()
    const kept = withoutSecretValues(jsonValue(tree).value, [], leftOut)
    if (stripComments(text) !== text) leftOut.add("comments")
    if (leftOut.size === 0) return { text, left: [] }
    return { text: `${JSON.stringify(kept, null, 2)}\n`, left: [...leftOut] }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function withoutSecretValues(value: unknown, path: readonly string[], leftOut: Set<string>): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withoutSecretValues(item, path, leftOut)).filter((item) => item !== secret)
  }
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([key, item]) => {
      const name = withoutSecrets(key)
      return [name, withoutSecretValues(item, [...path, key], leftOut)] as const
    })
    return Object.fromEntries(entries.filter(([, item]) => item !== secret))
  }
  if (typeof value !== "string" || value === "" || isReference(value)) return value
  const name = path.map(withoutSecrets).join(".")
  if (keepsSecrets(path) || path.some((key) => alsoSecret.has(key))) {
    leftOut.add(name)
    return secret
  }
  const safe = withoutSecrets(withoutLogin(value))
  if (safe !== value) leftOut.add(name)
  return safe
}
