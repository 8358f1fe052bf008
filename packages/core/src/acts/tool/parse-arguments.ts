import type { z } from "zod"
import { didYouMean } from "../../ground/error/nearest-name.ts"
import { maxNesting, nesting, parseJson } from "./parse-json.ts"
import type { Tool } from "./tool.ts"
import { inputSchema } from "./tool-schemas.ts"

const MAX_ISSUES = 8

/**
 * Checks the arguments that a model sent. An unknown argument is refused, because its intention would be lost. What can
 * only be meant in one way is corrected: arguments sent as one JSON text, null for an omitted value, and a number,
 * boolean, list or object in quotes.
 * @throws Error that tells the model what is wrong and which arguments exist
 */
export function parseArguments(tool: Tool, rawInput: unknown): unknown {
  const { parameters } = tool
  const input = structuredClone(unwrapJson(rawInput))
  if ("jsonSchema" in parameters) {
    const parsed = parameters.parse(input)
    if ("args" in parsed) return parsed.args
    throw new Error(
      invalidArguments(
        tool,
        parsed.problems.map((problem) => `- ${problem}`),
      ),
    )
  }
  while (true) {
    const parsed = parameters.safeParse(input)
    if (parsed.success) return parsed.data
    const { issues } = parsed.error
    const mended = issues.filter((issue) => mend(input, issue, tool.ignores ?? []))
    if (mended.length === 0) throw new Error(invalidArguments(tool, linesOf(tool, issues, input)))
  }
}

/** Some models send the arguments as JSON text, and nothing for a tool without arguments. */
function unwrapJson(input: unknown): unknown {
  if (input === undefined || input === null || input === "") return {}
  if (typeof input !== "string") return input
  if (nesting(input) > maxNesting) {
    throw new Error(`The arguments nest deeper than ${maxNesting} levels. Call the tool again with plainer ones.`)
  }
  return parseJson(input) ?? input
}

/** Corrects the value of an issue in place. @returns whether it could */
function mend(input: unknown, issue: z.core.$ZodIssue, ignores: readonly string[]): boolean {
  if (issue.code === "unrecognized_keys") {
    const object = valueAt(input, issue.path)
    if (!isRecord(object)) return false
    const removable = issue.keys.filter((key) => object[key] === null || ignores.includes(key))
    for (const key of removable) delete object[key]
    return removable.length > 0
  }
  const holder = valueAt(input, issue.path.slice(0, -1))
  const key = issue.path.at(-1)
  if (!isRecord(holder) || typeof key !== "string") return false
  const value = holder[key]
  if (value === null) return delete holder[key]
  if (typeof value !== "string") return false
  const meant = expectedTypes(issue)
    .map((type) => readAs(type, value))
    .find((read) => read !== undefined)
  if (meant === undefined) return false
  holder[key] = meant
  return true
}

function expectedTypes(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_type") return [issue.expected]
  if (issue.code !== "invalid_union") return []
  return issue.errors.flat().flatMap((inner) => (inner.path.length === 0 ? expectedTypes(inner) : []))
}

/** The value that a text spells in the given type; undefined when it is no such value. */
function readAs(type: string, text: string): unknown {
  switch (type) {
    case "number":
    case "int":
      return /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
    case "boolean": {
      const word = text.trim().toLowerCase()
      return word === "true" || word === "false" ? word === "true" : undefined
    }
    case "array": {
      const value = parseJson(text)
      return Array.isArray(value) ? value : undefined
    }
    case "object":
    case "record": {
      const value = parseJson(text)
      return isRecord(value) ? value : undefined
    }
    default:
      return undefined
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value) && typeof key === "number") return value[key]
    return isRecord(value) && typeof key === "string" && Object.hasOwn(value, key) ? value[key] : undefined
  }, input)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function linesOf(tool: Tool, issues: z.core.$ZodIssue[], input: unknown): string[] {
  const schema = inputSchema(tool)
  return issues.flatMap((issue) => issueLines(issue, input, schema))
}

function invalidArguments(tool: Tool, lines: string[]): string {
  const shown = lines.slice(0, MAX_ISSUES)
  if (lines.length > MAX_ISSUES) shown.push(`- and ${lines.length - MAX_ISSUES} more`)
  return [
    `The ${tool.id} tool was called with invalid arguments:`,
    ...shown,
    `It expects ${shape(inputSchema(tool))}. Call it again with correct arguments.`,
  ].join("\n")
}

function issueLines(issue: z.core.$ZodIssue, input: unknown, schema: unknown): string[] {
  const place = (path: readonly PropertyKey[]) => (path.length === 0 ? "arguments" : path.map(String).join("."))
  if (issue.code === "unrecognized_keys") {
    const known = namesAt(schema, issue.path)
    return issue.keys.map(
      (key) => `- ${place([...issue.path, key])}: there is no such argument.${didYouMean(key, known)}`,
    )
  }
  const missing = issue.path.length > 0 && valueAt(input, issue.path) === undefined
  return [`- ${place(issue.path)}: ${missing ? "is missing" : issue.message}`]
}

/** The property names that the JSON Schema allows for the object at `path`. */
function namesAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  let at = schema
  for (const key of path) {
    if (!isRecord(at)) return []
    at = typeof key === "number" ? at.items : isRecord(at.properties) ? at.properties[String(key)] : undefined
  }
  return isRecord(at) && isRecord(at.properties) ? Object.keys(at.properties) : []
}

/** The arguments of a tool in one line. */
export function argumentShape(tool: Pick<Tool, "parameters">): string {
  return shape(inputSchema(tool))
}

/** A JSON Schema in one line, in TypeScript's notation: `{ filePath: string, offset?: integer }`. */
function shape(schema: unknown): string {
  if (!isRecord(schema)) return "anything"
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(shape).join(" | ")
  if ("items" in schema) return `[${shape(schema.items)}, …]`
  if (isRecord(schema.properties)) {
    const required = Array.isArray(schema.required) ? schema.required : []
    const fields = Object.entries(schema.properties).map(
      ([key, value]) => `${key}${required.includes(key) ? "" : "?"}: ${shape(value)}`,
    )
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
  }
  return typeof schema.type === "string" ? schema.type : "anything"
}
