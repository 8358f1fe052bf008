import { badFile } from "./bad-file.ts"
import { isTooRich } from "./weigh-json.ts"

/** What a file holds: one JSON value, or one on each line. */
export type ParsedText =
  | { kind: "json"; value: unknown }
  /** `unread` lines are no JSON. */
  | { kind: "lines"; values: unknown[]; unread: number }

/** @throws DocketError invalid_input */
export function parseText(bytes: Uint8Array): ParsedText {
  if (isTooRich(bytes)) throw badFile("it holds more records within records than any session has.")
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === "") throw badFile("it is empty.")
  try {
    return { kind: "json", value: parsed(text) }
  } catch (error) {
    return parsedLines(text) ?? refuse(error)
  }
}

/** Null when the first line is no value of its own. */
function parsedLines(text: string): ParsedText | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const values: unknown[] = []
  let unread = 0
  for (const [index, line] of lines.entries()) {
    try {
      values.push(parsed(line))
    } catch {
      if (index === 0) return null
      unread += 1
    }
  }
  return { kind: "lines", values, unread }
}

/** JSON whose records have no member that stands for their prototype. */
function parsed(text: string): unknown {
  return /__proto__|\\u005f/i.test(text)
    ? JSON.parse(text, (key, value) => (key === "__proto__" ? undefined : value))
    : JSON.parse(text)
}

function refuse(error: unknown): never {
  const reason = error instanceof Error ? error.message.slice(0, 200) : String(error)
  throw badFile(`it is no JSON, or breaks off (${reason}).`)
}
