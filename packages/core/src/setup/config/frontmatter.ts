import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from "yaml"
import { type TextPosition, textPosition } from "./json-tree.ts"

/** Frontmatter between two lines of `---` at the start of the file, then the body. */
const frontmatterPattern = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/
/** A first line that opens frontmatter, or what is left of one. */
const openingPattern = /^-{1,3}[ \t]*(?:\r?\n|$)/
/** Longest frontmatter, characters: settings of one agent need a few hundred. */
const frontmatterLimit = 32_768

/** A Markdown file that defines something: its settings, then its text. */
export interface DefinitionText {
  settings: unknown
  /** Without the space around it. */
  body: string
  /** Where the value that the keys lead to stands, or the nearest one above it that is there. */
  near(path: readonly string[]): TextPosition
  /** The same; where the body begins for a path that is not there. */
  place(path: readonly string[]): TextPosition
}

/** Why a file defines nothing, and where that stands. */
export interface RefusedText extends TextPosition {
  refused: string
}

/**
 * Reads the YAML frontmatter and the body of a Markdown file. A file without frontmatter is a body only. An
 * unquoted `: ` in a description, which YAML does not allow, is taken for text. Never throws.
 */
export function parseFrontmatter(text: string): DefinitionText | RefusedText {
  if (text.trim() === "") return { line: 1, column: 1, refused: "the file is empty" }
  const match = frontmatterPattern.exec(text)
  if (!match && openingPattern.test(text)) {
    return { line: 1, column: 1, refused: 'the frontmatter has no end; close it with a line "---"' }
  }
  const frontmatter = match?.[1] ?? ""
  if (frontmatter.length > frontmatterLimit) {
    return { line: 2, column: 1, refused: `the frontmatter is longer than ${frontmatterLimit} characters` }
  }
  const bodyStart = match?.[0].length ?? 0
  try {
    return readDocument(frontmatter, text, bodyStart)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { line: 2, column: 1, refused: "the frontmatter is nested too deeply" }
  }
}

function readDocument(frontmatter: string, text: string, bodyStart: number): DefinitionText | RefusedText {
  const { document, lines } = parseYaml(frontmatter)
  // The frontmatter's first line is the file's second.
  const position = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset)
    return { line: line + 1, column: col }
  }
  const [error] = document.errors
  if (error) return { ...position(error.pos[0]), refused: error.message }
  const [alias] = findAliases(document)
  if (alias) return { ...position(alias.offset), refused: alias.message }
  const near = (path: readonly string[]) => position(offsetAt(document, path))
  return {
    settings: document.toJS() ?? {},
    body: text.slice(bodyStart).trim(),
    near,
    place: (path) => (document.hasIn(path) ? near(path) : textPosition(text, bodyStart)),
  }
}

/** Parses YAML; if that fails, once more with descriptions in quotes. If both fail, the first error counts. */
function parseYaml(frontmatter: string): { document: Document; lines: LineCounter } {
  const parse = (source: string) => {
    const lines = new LineCounter()
    return { document: parseDocument(source, { lineCounter: lines, prettyErrors: false }), lines }
  }
  const strict = parse(frontmatter)
  if (strict.document.errors.length === 0) return strict
  const quoted = frontmatter.replace(plainText, (_, key: string, value: string) => `${key}${JSON.stringify(value)}`)
  if (quoted === frontmatter) return strict
  const lenient = parse(quoted)
  return lenient.document.errors.length === 0 ? lenient : strict
}

/** A value without quotes that is no block, alias, list or map. Only of keys that give no rights. */
const plainText =
  /^((?:name|description|argument-hint|when_to_use|initialPrompt):[ \t]+)([^\s"'|>&*[{].*?)(?=[ \t]*\r?$)/gm

/**
 * The aliases and merge keys: each stands for another value, which is never what a pattern such as `*.ts` means.
 * Removes `__proto__`, which must reach no prototype.
 */
function findAliases(document: Document): { offset: number; message: string }[] {
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
 * The text with other settings and another body; comments and all that is not changed stay as they are.
 * @param set settings by their key; undefined takes one away
 * @param body null leaves it
 * @returns null where the frontmatter cannot be read
 */
export function editFrontmatter(
  text: string,
  { set, body }: { set: Readonly<Record<string, unknown>>; body: string | null },
): string | null {
  const match = frontmatterPattern.exec(text)
  if (!match && openingPattern.test(text)) return null
  const { document } = parseYaml(match?.[1] ?? "")
  if (document.errors.length > 0 || findAliases(document).length > 0) return null
  if (document.contents !== null && !isMap(document.contents)) return null
  const changed = Object.entries(set)
  for (const [key, value] of changed) {
    const node = document.get(key, true)
    if (value === undefined) document.delete(key)
    // A comment beside the value belongs to its node, so the node is kept.
    else if (isScalar(node) && typeof value !== "object") node.value = value
    else document.set(key, document.createNode(value))
  }
  const written = isEmpty(document) ? "" : document.toString({ lineWidth: 0 })
  const start = match?.[0].length ?? 0
  const frontmatter = changed.length === 0 ? text.slice(0, start) : written === "" ? "" : `---\n${written}---\n`
  if (body === null) return frontmatter + text.slice(start)
  return `${frontmatter}${frontmatter === "" ? "" : "\n"}${body.trim()}\n`
}

function isEmpty({ contents, commentBefore, comment }: Document): boolean {
  const hasItems = isMap(contents) && contents.items.length > 0
  return !hasItems && !commentBefore && !comment
}
