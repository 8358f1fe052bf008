import remarkGfm from "remark-gfm"
import remarkParse from "remark-parse"
import remarkRehype from "remark-rehype"
import { unified } from "unified"
import { rehypeTranscriptContent } from "../markdown/safe-content.ts"
import { splitBlocks } from "../markdown/split-blocks.ts"
import { isTooNested } from "../markdown/too-nested.ts"
import { type VisibleText, type VisibleWriter, visibleWriter } from "./visible-text.ts"

/** The fields of a hast node that this file reads. */
interface Node {
  type: string
  tagName?: string
  value?: string
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined
  children?: Node[]
}

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeTranscriptContent)

/** The text that the transcript draws for Markdown. Uses the same parser, block by block as the transcript does. */
export function visibleMarkdown(source: string): VisibleText {
  const writer = visibleWriter()
  let cursor = 0
  for (const block of splitBlocks(source)) {
    const at = source.indexOf(block, cursor)
    cursor = at + block.length
    if (isTooNested(block)) writer.same(block, at)
    else write(processor.runSync(processor.parse(block)) as Node, { writer, block, at })
    writer.added("\n")
  }
  return writer.done()
}

interface BlockContext {
  writer: VisibleWriter
  block: string
  /** Offset of the block in the source. */
  at: number
}

function write(node: Node, context: BlockContext, parent: Node | null = null): void {
  if (node.type === "text" && node.value !== undefined) writeText(node.value, sourceOf(node, parent, context), context)
  else for (const child of node.children ?? []) write(child, context, node)
}

/**
 * The source of a text within its block. In a code block only the element has a position, its text has none. Null for
 * generated text.
 */
function sourceOf(node: Node, parent: Node | null, { block }: BlockContext): { text: string; at: number } | null {
  const { start, end } = node.position ?? (parent?.tagName === "code" ? parent.position : undefined) ?? {}
  if (start?.offset === undefined || end?.offset === undefined) return null
  return { text: block.slice(start.offset, end.offset), at: start.offset }
}

function writeText(value: string, source: ReturnType<typeof sourceOf>, { writer, at }: BlockContext): void {
  if (source === null) writer.added(value)
  else if (source.text === value) writer.same(value, at + source.at)
  else writeAligned(value, { source: source.text, begin: at + source.at }, writer)
}

/** `&amp;`, `&#38;`, `&#x26;` (CommonMark 6.2). */
const entity = /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});/y
const ampersand = /^&(?:amp|#38|#[xX]26);$/
/** A backslash that escapes the following punctuation (CommonMark 2.4). */
const escaping = /\\[!-/:-@[-`{-~]/y
/** The opening of a fenced code block, and of inline code. */
const opening = /^(?:[ >\t]*(?:`{3,}|~{3,})[^\n]*\n|`+ ?)/

/**
 * Aligns drawn text with its source, which may contain escapes, entities, fences and markers at line starts. Text that
 * cannot be aligned counts as added.
 */
function writeAligned(
  value: string,
  { source, begin }: { source: string; begin: number },
  writer: VisibleWriter,
): void {
  let at = opening.exec(source)?.[0].length ?? 0
  for (let index = 0; index < value.length; ) {
    const step = nextStep(value, index, { source, at })
    const drawn = value.slice(index, index + step.says)
    if (step.takes === 0) writer.added(drawn)
    else if (drawn !== "") writer.unit(drawn, begin + at, begin + at + step.takes)
    at += step.takes
    index += step.says
  }
}

/**
 * The next step of the alignment: how many units of text it `says`, and how many units of source it `takes`. Markup
 * says nothing; text without a source takes nothing.
 */
function nextStep(
  value: string,
  index: number,
  { source, at }: { source: string; at: number },
): { says: number; takes: number } {
  const drawnUnit = value.charAt(index)
  const sourceUnit = source.charAt(at)
  const named = matchAt(entity, source, at)
  // Where the text says "&", only an entity for "&" is meant: in code, `&lt;` stands for itself.
  if (named !== null && (drawnUnit !== "&" || ampersand.test(named))) {
    // A character outside the basic plane has two units.
    return { says: (value.codePointAt(index) ?? 0) > 0xffff ? 2 : 1, takes: named.length }
  }
  const escaped = matchAt(escaping, source, at)
  if (escaped !== null && !value.startsWith(escaped, index)) return { says: 0, takes: 1 }
  if (sourceUnit === drawnUnit || (isSpace(sourceUnit) && isSpace(drawnUnit))) return { says: 1, takes: 1 }
  // The indentation of lists, and the markers of quotes.
  if (/^[\s>]$/.test(sourceUnit)) return { says: 0, takes: 1 }
  // After a space without a source the alignment can go on; after other text it is given up.
  return { says: isSpace(drawnUnit) ? 1 : value.length - index, takes: 0 }
}

function isSpace(unit: string): boolean {
  return /^\s$/.test(unit)
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}
