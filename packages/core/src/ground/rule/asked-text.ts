import type { PermissionRequest } from "../schema/index.ts"
import { describeAsk } from "./describe-ask.ts"

/** Names that a sentence takes. */
const maxNamed = 2
/** Longer texts are cut (UTF-16 units). */
const maxText = 160

/** What a request asks leave for, in one short line: `write a.txt`, or the command itself. Every character is seen. */
export function askedText(ask: Pick<PermissionRequest, "permission" | "patterns" | "metadata">): string {
  const { act, command } = describeAsk(ask)
  const rest = act.what.length - maxNamed
  const names = `${act.what.slice(0, maxNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`
  const text = command ?? [act.does, names, act.where].filter(Boolean).join(" ")
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= maxText ? line : `${line.slice(0, maxText - 1).toWellFormed()}…`
}
