import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"
import type { z } from "zod"
import type { ConfigProblem } from "../runtime-port.ts"
import { didYouMean } from "./nearest-name.ts"
import { Config } from "./schema.ts"
import { textPosition } from "./text-position.ts"

export interface ParsedConfig {
  /** Null when the file is malformed and must be left out as a whole. */
  config: Config | null
  problems: ConfigProblem[]
}

/** Words for jsonc-parser's error codes; others are shown as they are. */
const syntaxWords: Record<string, string> = {
  InvalidSymbol: "this is not valid JSON",
  InvalidNumberFormat: "this number is not valid",
  PropertyNameExpected: 'expected a property name in double quotes, like "model"',
  ValueExpected: "expected a value",
  ColonExpected: 'expected ":" after the property name',
  CommaExpected: 'expected "," between two entries',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: "expected the end of the file here",
  UnexpectedEndOfString: "this string is not closed",
  UnexpectedEndOfComment: "this comment is not closed",
  InvalidEscapeCharacter: "this escape is not valid; write a backslash as \\\\",
}

/** Value of a syntax tree, without the prototype setter that a key `__proto__` would reach. */
function nodeValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(nodeValue)
  if (node.type !== "object") return node.value
  const entries = (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? []
    return key && value && key.value !== "__proto__" ? [[String(key.value), nodeValue(value)] as const] : []
  })
  return Object.fromEntries(entries)
}

const isSegment = (key: PropertyKey): key is string | number => typeof key !== "symbol"

/** Keys that the schema has at the place of an unknown key: only the two strict objects report any. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  const shape = path[0] === "delegation" ? Config.shape.delegation.unwrap().shape : Config.shape
  return Object.keys(shape)
}

/** Removes keys that a strict object does not know, so that the rest of the file still counts. */
function withoutUnknownKeys(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(value)
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue
    let target: unknown = copy
    for (const segment of issue.path) target = Reflect.get(Object(target), segment)
    for (const key of issue.keys) Reflect.deleteProperty(Object(target), key)
  }
  return copy
}

/**
 * Reads the text of a docket.json or docket.jsonc (comments and trailing commas are fine). Unknown keys are
 * reported and left out; any other problem makes the whole file malformed. Never throws.
 */
export function parseConfigText(file: string, text: string): ParsedConfig {
  const at = (offset: number, message: string): ConfigProblem => ({ file, ...textPosition(text, offset), message })
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || !tree) {
    const problems = errors.map((error) => {
      const code = printParseErrorCode(error.error)
      return at(error.offset, `${syntaxWords[code] ?? code}. The file is left out until this is mended.`)
    })
    return { config: null, problems: problems.slice(0, 5) }
  }

  const value = nodeValue(tree)
  const first = Config.safeParse(value)
  if (first.success) return { config: first.data, problems: [] }

  const problems = first.error.issues.flatMap((issue): ConfigProblem[] => {
    const path = issue.path.filter(isSegment)
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => {
        const offset = findNodeAtLocation(tree, [...path, key])?.parent?.offset ?? 0
        return at(offset, `unknown key "${key}", ignored.${didYouMean(key, knownKeys(path))}`)
      })
    }
    const offset = findNodeAtLocation(tree, path)?.offset ?? 0
    const name = path.length === 0 ? "the file" : `"${path.join(".")}"`
    return [at(offset, `${name}: ${issue.message}. The file is left out until this is mended.`)]
  })
  problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
  const second = Config.safeParse(withoutUnknownKeys(value, first.error.issues))
  return { config: second.success ? second.data : null, problems }
}
