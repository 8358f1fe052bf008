import type { KnownValue } from "../../ground/redact/index.ts"
import { envValues, isEnvFile } from "../../ground/redact/index.ts"
import type { Part } from "../../ground/schema/index.ts"

/** A command that names a file of environment variables. */
const envInCommand = /(?:^|[\s'"=/])(\.env[\w.-]*)/g
/** What stands before a line of a file in a listing. */
const lineNumber = /^\s*\d+[:|→\t] ?/gm
/** What a command puts out of such a file, among other things. */
const assignment = /^\s*(?:export\s+)?[A-Za-z_]\w*=\S/

/** The secrets that a call shows because it read or wrote a `.env` file. */
export function envValuesOf(part: Part): KnownValue[] {
  if (part.type !== "tool" || part.state.status !== "completed") return []
  const { input, output } = part.state
  if (typeof input !== "object" || input === null) return []
  const fields: Record<string, unknown> = { ...input }
  const isFile = [fields.filePath, fields.path].some((path) => typeof path === "string" && isEnvFile(path))
  if (!isFile && !commandFiles(fields.command).some(isEnvFile)) return []
  const texts = [output, fields.content, fields.newString].filter((text) => typeof text === "string")
  return texts.flatMap((text) => {
    const content = text.replace(lineNumber, "")
    return envValues(isFile ? content : assignments(content))
  })
}

function assignments(output: string): string {
  return output
    .split("\n")
    .filter((line) => assignment.test(line))
    .join("\n")
}

function commandFiles(command: unknown): readonly string[] {
  return typeof command === "string" ? Array.from(command.matchAll(envInCommand), ([, file = ""]) => file) : []
}
