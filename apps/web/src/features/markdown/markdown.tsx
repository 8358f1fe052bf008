"use client"

import { type ComponentProps, isValidElement, memo, type ReactNode } from "react"
import ReactMarkdown, { type Components, type Options } from "react-markdown"
import rehypeSanitize from "rehype-sanitize"
import remarkGfm from "remark-gfm"
import remend from "remend"
import { BlockBoundary } from "./block-boundary.tsx"
import { CodeBlock } from "./code-block.tsx"
import { keepCommandLines } from "./keep-command-lines.ts"
import styles from "./markdown.module.css"
import { PlainText } from "./plain-text.tsx"
import { rehypeAccessibleContent, rehypeTranscriptContent, sanitizeSchema } from "./safe-content.ts"
import { splitBlocks } from "./split-blocks.ts"
import { isTooNested } from "./too-nested.ts"

const remarkPlugins: NonNullable<Options["remarkPlugins"]> = [remarkGfm]
const rehypePlugins: NonNullable<Options["rehypePlugins"]> = [
  rehypeTranscriptContent,
  [rehypeSanitize, sanitizeSchema],
  rehypeAccessibleContent,
]

const settledComponents: Components = { pre: ({ children }) => <Pre streaming={false}>{children}</Pre> }
const tailComponents: Components = { pre: ({ children }) => <Pre streaming>{children}</Pre> }

/**
 * Text from a model. While it streams, only the last block is parsed again; unclosed marks in it are closed for
 * display.
 */
export const Markdown = memo(function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  const blocks = splitBlocks(text)
  return (
    <div className={styles.prose}>
      {blocks.map((block, index) => (
        <Block key={blockKey(index)} text={block} tail={streaming && index === blocks.length - 1} />
      ))}
    </div>
  )
})

/**
 * One block; `tail` is set for the last block of a text that still streams. Text that nests too deep or fails to render
 * is shown as its source, so no text can break the page.
 */
const Block = memo(function Block({ text, tail }: { text: string; tail: boolean }) {
  const shown = shownText(text, tail)
  if (shown === null) return <PlainText text={text} />
  return (
    <BlockBoundary text={text}>
      <ParsedBlock text={shown} tail={tail} />
    </BlockBoundary>
  )
})

/**
 * The text to parse, with unclosed marks closed while it streams; null when the source or that result nests too deep.
 */
function shownText(text: string, tail: boolean): string | null {
  if (isTooNested(text)) return null
  const whole = keepCommandLines(text)
  if (!tail) return whole
  const closed = remend(whole, { linkMode: "text-only", images: false })
  return isTooNested(closed) ? null : closed
}

function ParsedBlock({ text, tail }: { text: string; tail: boolean }) {
  try {
    // Called as a function, since it has no state: on the server only errors thrown here can be caught.
    return ReactMarkdown({
      remarkPlugins,
      rehypePlugins,
      components: tail ? tailComponents : settledComponents,
      children: text,
    })
  } catch {
    return <PlainText text={text} />
  }
}

/** Blocks are only added at the end, so their position is their identity. */
function blockKey(index: number): string {
  return String(index)
}

function Pre({ children, streaming }: { children: ReactNode; streaming: boolean }) {
  if (!isValidElement<ComponentProps<"code">>(children)) return <pre className={styles.code}>{children}</pre>
  const { className, children: code } = children.props
  const language = /language-([\w+#-]+)/.exec(className ?? "")?.[1] ?? null
  return <CodeBlock code={String(code ?? "").replace(/\n$/, "")} language={language} streaming={streaming} />
}
