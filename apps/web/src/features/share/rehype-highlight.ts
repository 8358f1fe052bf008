import type { CodeHighlighter, CodeToken } from "../markdown/highlight.ts"
import { hasRedaction } from "./rehype-redactions.ts"

/** The fields of a hast node that highlighting uses. */
interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

export interface RehypeHighlightOptions {
  highlighter: CodeHighlighter
  tokenClass: string
}

/** Highlights fenced code after sanitizing. If a grammar fails, the block stays plain. */
export function rehypeHighlight({ highlighter, tokenClass }: RehypeHighlightOptions) {
  return async (tree: Node): Promise<void> => {
    await Promise.all(
      codeBlocks(tree).map(async (code) => {
        const names = code.properties?.className
        const language = Array.isArray(names) ? /language-([\w+#-]+)/.exec(names.join(" "))?.[1] : undefined
        if (language === undefined) return
        const text = code.children?.map((child) => child.value ?? "").join("") ?? ""
        // Highlighting would split the redaction labels.
        if (hasRedaction(text)) return
        const lines = await highlighter.highlight(text.replace(/\n$/, ""), language).catch(() => null)
        if (lines)
          code.children = lines.flatMap((line) => [...line.map((token) => element(token, tokenClass)), newline])
      }),
    )
  }
}

const newline: Node = { type: "text", value: "\n" }

function element({ content, style }: CodeToken, tokenClass: string): Node {
  const text: Node = { type: "text", value: content }
  const css = Object.entries(style).map(([name, value]) => `${name}:${value}`)
  if (css.length === 0) return text
  return {
    type: "element",
    tagName: "span",
    properties: { className: [tokenClass], style: css.join(";") },
    children: [text],
  }
}

function codeBlocks(node: Node): Node[] {
  if (node.tagName === "pre") return (node.children ?? []).filter((child) => child.tagName === "code")
  return (node.children ?? []).flatMap(codeBlocks)
}
