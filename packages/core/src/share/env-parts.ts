import type { KnownValue } from "../redact/index.ts"
import { envValues, isEnvFile } from "../redact/index.ts"
import type { Part } from "../schema/index.ts"

/** A command that names a file of environment variables. */
const envInCommand = /(?:^|[\s'"=/])(\.env[\w.-]*)/g
/** What stands before a line of a file in a listing. */
const lineNumber = /^\s*\d+[:|→\t] ?/gm

/** The secrets that a call shows because it read or wrote a `.env` file. */
export function envValuesOf(part: Part): KnownValue[] {
  if (part.type !== "tool" || part.state.status !== "completed") return []
  const { input, output } = part.state
  if (typeof input !== "object" || input === null) return []
  const fields: Record<string, unknown> = { ...input }
  const paths = [fields.filePath, fields.path, ...commandFiles(fields.command)]
  if (!paths.some((path) => typeof path === "string" && isEnvFile(path))) return []
  const texts = [output, fields.content, fields.newString].filter((text) => typeof text === "string")
  return texts.flatMap((text) => envValues(text.replace(lineNumber, "")))
}

function commandFiles(command: unknown): string[] {
  return typeof command === "string" ? Array.from(command.matchAll(envInCommand), ([, file = ""]) => file) : []
}
