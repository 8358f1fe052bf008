import { isNode, LineCounter, parseDocument } from "yaml"
import type { ConfigProblem } from "../runtime-port.ts"
import { AgentConfig } from "./schema.ts"

/** Frontmatter between two lines of `---` at the start of the file, then the body. */
const frontmatterPattern = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/

export interface ParsedAgent {
  agent: AgentConfig | null
  problems: ConfigProblem[]
}

/**
 * Reads an agent written as Markdown: YAML frontmatter is its configuration, the body its prompt. A file
 * without frontmatter is a prompt only. Never throws.
 */
export function parseAgentMarkdown(file: string, text: string): ParsedAgent {
  const match = frontmatterPattern.exec(text)
  const body = (match ? text.slice(match[0].length) : text).trim()
  const lines = new LineCounter()
  const document = parseDocument(match?.[1] ?? "", { lineCounter: lines, prettyErrors: false })
  // The frontmatter's first line is the file's second.
  const at = (offset: number, message: string): ConfigProblem => {
    const { line, col } = lines.linePos(offset)
    return { file, line: line + 1, column: col, message: `${message}. The file is left out until this is mended.` }
  }
  if (document.errors.length > 0) {
    return { agent: null, problems: document.errors.slice(0, 5).map((error) => at(error.pos[0], error.message)) }
  }
  const parsed = AgentConfig.safeParse(document.toJS({ maxAliasCount: 20 }) ?? {})
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => {
      const node = document.getIn(issue.path, true)
      const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0
      return at(offset, `${issue.path.length === 0 ? "frontmatter" : `"${issue.path.join(".")}"`}: ${issue.message}`)
    })
    return { agent: null, problems }
  }
  return { agent: body === "" ? parsed.data : { ...parsed.data, prompt: body }, problems: [] }
}
