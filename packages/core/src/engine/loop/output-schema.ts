import { maxNesting, nesting, parseJson } from "../../acts/tool/parse-json.ts"
import { createThreads } from "../../ground/concurrency/threads.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { fencedTexts } from "./fenced-texts.ts"
import type { SchemaProblems } from "./schema-problems.ts"

/** A JSON Schema that an answer must fit. */
export type OutputSchema = Record<string, unknown>

type OutputCheck = { ok: true; output: unknown } | { ok: false; problem: string }

/** How long a schema may be (bytes of JSON). It goes into the prompt. */
const maxSchemaBytes = 65_536

/** Patterns and references can be written to take for ever. */
export const checkThreads = (ms: number) =>
  createThreads({ ms, megabytes: 256, atOnce: 2, file: new URL("./schema-thread.ts", import.meta.url) })
const threads = checkThreads(10_000)

/** @throws invalid_input when it is no valid JSON Schema, or too large */
export async function assertSchema(schema: OutputSchema): Promise<void> {
  const text = JSON.stringify(schema)
  if (Buffer.byteLength(text) > maxSchemaBytes)
    throw new DocketError(
      "invalid_input",
      `output_schema has more than ${maxSchemaBytes} bytes. Describe less of the answer.`,
    )
  if (nesting(text) > maxNesting)
    throw new DocketError("invalid_input", `output_schema nests deeper than ${maxNesting} levels.`)
  const found = (await threads.run({ schema })) as SchemaProblems
  if ("invalid" in found)
    throw new DocketError("invalid_input", `output_schema is not a valid JSON Schema: ${found.invalid}`)
}

/** Reads JSON from an answer (bare, or in a code fence) and checks it against the schema. */
export async function checkOutput(text: string, schema: OutputSchema, within = threads): Promise<OutputCheck> {
  const found = findJson(text)
  if (found === undefined) return { ok: false, problem: "The answer holds no JSON." }
  const { value } = found
  const uncheckable = (why: string): OutputCheck => ({ ok: false, problem: `The answer cannot be checked: ${why}.` })
  try {
    const checked = (await within.run({ schema, value })) as SchemaProblems
    if ("invalid" in checked) return uncheckable(checked.invalid)
    return checked.problems.length === 0
      ? { ok: true, output: value }
      : { ok: false, problem: checked.problems.join("\n") }
  } catch (error) {
    return uncheckable(error instanceof Error ? error.message : String(error))
  }
}

/** What the model is told of the schema before it begins. */
export function schemaInstruction(schema: OutputSchema): string {
  return `End with one JSON value, alone or in a \`\`\`json fence, that fits this JSON Schema:\n${JSON.stringify(schema)}`
}

/** What the model is told of an answer that does not fit. */
export function repairPrompt(problem: string, schema: OutputSchema): string {
  return `Your answer does not fit the schema it must have:\n${problem}\n\nAnswer again with the corrected JSON only. The schema:\n${JSON.stringify(schema)}`
}

function findJson(text: string): { value: unknown } | undefined {
  const fences = [...fencedTexts(text.split("\n"))]
  const starts = ["{", "["].map((letter) => text.indexOf(letter)).filter((at) => at >= 0)
  const bare = starts.length === 0 ? [] : [text.slice(Math.min(...starts))]
  for (const candidate of [text, ...fences.reverse(), ...bare]) {
    const value = parseJson(candidate.trim())
    if (value !== undefined) return { value }
  }
  return undefined
}
