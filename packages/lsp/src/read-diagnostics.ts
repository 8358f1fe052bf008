/** An error that a server reports. Lines and columns count from 1. */
export interface FileError {
  line: number
  column: number
  message: string
  /** As the server writes it; empty for none. */
  code: string
}

/** Errors kept of one file. */
const maxErrors = 2_000
/** Diagnostics looked at in one answer. */
const maxItems = 20_000
const maxMessage = 500
const errorSeverity = 1

/** The errors in diagnostics as a server sent them; what has not their form is left out. Warnings and hints too. */
export function readDiagnostics(items: unknown): FileError[] {
  if (!Array.isArray(items)) return []
  const errors: FileError[] = []
  for (const item of items.slice(0, maxItems)) {
    const error = readError(item)
    if (error !== null) errors.push(error)
    if (errors.length >= maxErrors) break
  }
  return errors
}

function readError(item: unknown): FileError | null {
  if (!isRecord(item) || (item.severity ?? errorSeverity) !== errorSeverity) return null
  const message = textOf(item.message)
  const place = readPosition(isRecord(item.range) ? item.range.start : null)
  if (message === "" || place === null) return null
  const code = isRecord(item.code) ? item.code.value : item.code
  return {
    ...place,
    message,
    code: typeof code === "string" || typeof code === "number" ? String(code).slice(0, 60) : "",
  }
}

/** LSP 3.18 allows marked-up text besides a string. */
function textOf(message: unknown): string {
  const text = isRecord(message) ? message.value : message
  if (typeof text !== "string") return ""
  const line = text
    .slice(0, maxMessage * 2)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
  return line.length > maxMessage ? `${line.slice(0, maxMessage - 1)}…` : line
}

/** A position of the protocol, counted from 1; null when it is none. */
export function readPosition(start: unknown): { line: number; column: number } | null {
  if (!isRecord(start)) return null
  const { line, character } = start
  if (!Number.isSafeInteger(line) || !Number.isSafeInteger(character)) return null
  return { line: Math.max(0, Number(line)) + 1, column: Math.max(0, Number(character)) + 1 }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
