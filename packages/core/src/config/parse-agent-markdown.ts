import { type Document, isAlias, isNode, isScalar, LineCounter, parseDocument, visit } from "yaml"
import type { Closure } from "./closure.ts"
import type { ConfigProblem } from "./config-report.ts"
import { readAgent } from "./read-agent.ts"
import type { AgentConfig } from "./schema.ts"
import { type TextPosition, textPosition } from "./text-position.ts"

/** Frontmatter between two lines of `---` at the start of the file, then the body. */
const frontmatterPattern = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/
/** A first line that opens frontmatter, or what is left of one. */
const openingPattern = /^-{1,3}[ \t]*(?:\r?\n|$)/
/** Longest frontmatter, characters: settings of one agent need a few hundred. */
const frontmatterLimit = 32_768

export interface ParsedAgent {
  agent: AgentConfig | null
  /** What is held back because it cannot be read. */
  closures: Closure[]
  problems: ConfigProblem[]
  /** Where the value at a path of `agent` stands. The prompt stands where the body begins. */
  place(path: readonly string[]): TextPosition
}

/** Why no session runs by an agent whose file cannot be read. */
export function unusableAgent(name: string, file: string, problem: string): Closure {
  return { agent: name, deny: {}, unusable: `${file} ${problem}` }
}

/** An alias stands for another value, which is never what a pattern such as `*.ts` means; a prototype key for none. */
function refuseAliases(document: Document): { offset: number; message: string }[] {
  const found: { offset: number; message: string }[] = []
  visit(document, {
    Alias(_, { source, range }) {
      const message = `"*${source}" is a YAML alias here; put it in quotes if it is a pattern: "*${source}"`
      found.push({ offset: range?.[0] ?? 0, message })
    },
    Pair(_, { key }) {
      if (isScalar(key) && key.value === "__proto__") return visit.REMOVE
      if (!isScalar(key) || key.value !== "<<") return undefined
      found.push({
        offset: key.range?.[0] ?? 0,
        message: '"<<" (a YAML merge key) is not supported; write the keys out',
      })
      return undefined
    },
  })
  return found.filter(({ message }, at) => found.findIndex((other) => other.message === message) === at)
}

/** The offset of the value that the keys lead to; of the nearest one above it that is there. */
function offsetAt(document: Document, path: readonly string[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && !isAlias(node)) return node.range?.[0] ?? 0
  }
  return 0
}

/**
 * Reads an agent written as Markdown: YAML frontmatter is its configuration, the body its prompt. A file
 * without frontmatter is a prompt only. Where the frontmatter cannot be read the agent is left out and no session
 * runs by it; a wrong key is left out alone, and a rule that cannot be read denies. Never throws.
 */
export function parseAgentMarkdown(file: string, name: string, text: string): ParsedAgent {
  const refuse = (line: number, column: number, message: string): ParsedAgent => ({
    agent: null,
    closures: [unusableAgent(name, `${file}:${line}`, message)],
    problems: [{ file, line, column, message: `${message}. The agent "${name}" is left out until this is mended.` }],
    place: () => ({ line, column }),
  })
  const match = frontmatterPattern.exec(text)
  if (text.trim() === "") return refuse(1, 1, "the file is empty")
  if (!match && openingPattern.test(text)) return refuse(1, 1, 'the frontmatter has no end; close it with a line "---"')
  const frontmatter = match?.[1] ?? ""
  if (frontmatter.length > frontmatterLimit) {
    return refuse(2, 1, `the frontmatter is longer than ${frontmatterLimit} characters`)
  }
  const body = (match ? text.slice(match[0].length) : text).trim()
  const lines = new LineCounter()
  // The frontmatter's first line is the file's second.
  const position = (offset: number): [number, number] => {
    const { line, col } = lines.linePos(offset)
    return [line + 1, col]
  }
  try {
    const document = parseDocument(frontmatter, { lineCounter: lines, prettyErrors: false })
    const [error] = document.errors
    if (error) return refuse(...position(error.pos[0]), error.message)
    const [alias] = refuseAliases(document)
    if (alias) return refuse(...position(alias.offset), alias.message)
    const read = readAgent(name, document.toJS() ?? {})
    const problems = read.faults.map(({ path, message }) => {
      const [line, column] = position(offsetAt(document, path))
      return { file, line, column, message }
    })
    if (read.agent === null) return refuse(...position(0), "the frontmatter is not a map of settings")
    const place = (path: readonly string[]): TextPosition => {
      if (!document.hasIn(path)) return textPosition(text, match?.[0].length ?? 0)
      const [line, column] = position(offsetAt(document, path))
      return { line, column }
    }
    const agent = body === "" ? read.agent : { ...read.agent, prompt: body }
    return { agent, closures: read.closures, problems, place }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refuse(2, 1, "the frontmatter is nested too deeply")
  }
}
