import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Ajv as AjvClass, ErrorObject } from "ajv"
import { parseJson } from "../../acts/tool/parse-json.ts"

/** Longer answers (UTF-8 bytes) go to a file; the parent gets both ends and the path. */
export const maxResultBytes = 16 * 1024
const headBytes = 8_000
const tailBytes = 4_000

/** An answer as the parent reads it. `path` is where the whole of a long one lies. */
export async function storedResult(
  text: string,
  file: { directory: string; name: string },
): Promise<{ result: string; path: string | null }> {
  if (Buffer.byteLength(text) <= maxResultBytes) return { result: text, path: null }
  await mkdir(file.directory, { recursive: true, mode: 0o700 })
  const path = join(file.directory, file.name)
  await writeFile(path, text, { mode: 0o600 })
  const bytes = Buffer.from(text)
  // What a cut leaves of a character at its edge is no text.
  const head = bytes
    .subarray(0, headBytes)
    .toString()
    .replace(/\uFFFD+$/, "")
  const tail = bytes
    .subarray(-tailBytes)
    .toString()
    .replace(/^\uFFFD+/, "")
  const left = bytes.length - Buffer.byteLength(head) - Buffer.byteLength(tail)
  const middle = `\n\n[… ${left} bytes left out; the whole answer is in ${path}. Read or search it there.]\n\n`
  return { result: head + middle + tail, path }
}

export type OutputCheck = { ok: true; output: unknown } | { ok: false; problem: string }

/** Reads JSON from an answer (bare, or in a code fence) and checks it against a JSON Schema. */
export async function checkOutput(text: string, schema: Record<string, unknown>): Promise<OutputCheck> {
  const found = findJson(text)
  if (found === undefined) return { ok: false, problem: "The answer holds no JSON." }
  const { Ajv } = await import("ajv")
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema)
  if (validate(found.value)) return { ok: true, output: found.value }
  return { ok: false, problem: (validate.errors ?? []).slice(0, 10).map(errorLine).join("\n") }
}

/** Throws with the reason when a schema is not one. */
export async function assertSchema(schema: Record<string, unknown>): Promise<void> {
  const { Ajv } = await import("ajv")
  const ajv: AjvClass = new Ajv({ strict: false })
  try {
    ajv.compile(schema)
  } catch (error) {
    throw new Error(
      `output_schema is not a valid JSON Schema: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

export function schemaInstruction(schema: Record<string, unknown>): string {
  return `End with one JSON value, alone or in a \`\`\`json fence, that fits this JSON Schema:\n${JSON.stringify(schema)}`
}

export function repairPrompt(problem: string, schema: Record<string, unknown>): string {
  return `Your answer does not fit the schema it must have:\n${problem}\n\nAnswer again with the corrected JSON only. The schema:\n${JSON.stringify(schema)}`
}

function errorLine(error: ErrorObject): string {
  return `- ${error.instancePath === "" ? "(root)" : error.instancePath}: ${error.message ?? error.keyword}`
}

function findJson(text: string): { value: unknown } | undefined {
  const fences = [...text.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)\n[^\S\n]*```/g)].map((match) => match[1] ?? "")
  const starts = ["{", "["].map((letter) => text.indexOf(letter)).filter((at) => at >= 0)
  const bare = starts.length === 0 ? [] : [text.slice(Math.min(...starts))]
  for (const candidate of [text, ...fences.reverse(), ...bare]) {
    const value = parseJson(candidate.trim())
    if (value !== undefined) return { value }
  }
  return undefined
}
