import rehypeSanitize from "rehype-sanitize"
import rehypeStringify from "rehype-stringify"
import remarkGfm from "remark-gfm"
import remarkParse from "remark-parse"
import remarkRehype from "remark-rehype"
import { unified } from "unified"
import type { CodeHighlighter } from "../markdown/highlight.ts"
import { keepCommandLines } from "../markdown/keep-command-lines.ts"
import { rehypeAccessibleContent, rehypeTranscriptContent, sanitizeSchema } from "../markdown/safe-content.ts"
import { splitBlocks } from "../markdown/split-blocks.ts"
import { isTooNested } from "../markdown/too-nested.ts"
import { type RehypeHighlightOptions, rehypeHighlight } from "./rehype-highlight.ts"
import { rehypeRedactions } from "./rehype-redactions.ts"

export interface MarkdownRenderer {
  /** Safe HTML for Markdown written by a model or a user. */
  markdown(text: string): Promise<string>
  /** Safe HTML of one block of code. */
  code(text: string, language: string | null): Promise<string>
}

export interface MarkdownRendererDeps {
  highlighter: CodeHighlighter
  /** Class of a highlighted token. */
  tokenClass: string
  /** Class of text that is shown as written. */
  plainClass: string
  /** Number of rendered texts in the cache. */
  capacity: number
}

/** Limits for parsing one text, above what a page shows of it: blocks, and UTF-16 units in them. */
const mostParsed = { blocks: 500, units: 20_000 }

/** Renders Markdown on the server with the app's rules. Rendered texts are cached. */
export function createMarkdownRenderer({
  highlighter,
  tokenClass,
  plainClass,
  capacity,
}: MarkdownRendererDeps): MarkdownRenderer {
  const options: RehypeHighlightOptions = { highlighter, tokenClass }
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(rehypeTranscriptContent)
    .use(rehypeSanitize, sanitizeSchema)
    .use(rehypeAccessibleContent)
    .use(rehypeHighlight, options)
    .use(rehypeRedactions)
    .use(rehypeStringify)
  const rendered = new Map<string, Promise<string>>()

  const plain = (text: string): string =>
    processor.stringify({
      type: "root",
      children: [
        {
          type: "element",
          tagName: "div",
          properties: { className: [plainClass] },
          children: [{ type: "text", value: text }],
        },
      ],
    })

  /** Blocks that are nested too deeply or cannot be parsed are shown as written, so that no text breaks the page. */
  async function block(text: string): Promise<string> {
    if (isTooNested(text)) return plain(text)
    return processor.process(keepCommandLines(text)).then(String, () => plain(text))
  }

  /** The blocks of a text as HTML. Only the beginning of a long text is parsed; the rest is shown as written. */
  async function blocksOf(text: string): Promise<string> {
    const blocks = splitBlocks(text)
    let units = 0
    const firstUnparsed = blocks.findIndex((it, at) => {
      units += it.length
      return at >= mostParsed.blocks || units > mostParsed.units
    })
    if (firstUnparsed < 0) return (await Promise.all(blocks.map(block))).join("\n")
    const parsed = await Promise.all(blocks.slice(0, firstUnparsed).map(block))
    return [...parsed, plain(blocks.slice(firstUnparsed).join("\n\n"))].join("\n")
  }

  function markdown(text: string): Promise<string> {
    const cached = rendered.get(text)
    if (cached) rendered.delete(text)
    const html = cached ?? blocksOf(text)
    rendered.set(text, html)
    const [oldest] = rendered.keys()
    if (rendered.size > capacity && oldest !== undefined) rendered.delete(oldest)
    return html
  }

  return { markdown, code: (text, language) => markdown(fenced(text, language)) }
}

/** Puts code into a fence that is longer than any fence inside it. */
function fenced(text: string, language: string | null): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${/^[\w+#-]+$/.test(language ?? "") ? language : ""}\n${text}\n${fence}`
}
