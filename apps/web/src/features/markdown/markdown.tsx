"use client"

import { type ComponentProps, isValidElement, memo, type ReactNode } from "react"
import ReactMarkdown, { type Components, type Options } from "react-markdown"
import rehypeSanitize from "rehype-sanitize"
import remarkGfm from "remark-gfm"
import remend from "remend"
import { CodeBlock } from "./code-block.tsx"
import { keepCommandLines } from "./keep-command-lines.ts"
import styles from "./markdown.module.css"
import { rehypeAccessibleContent, rehypeTranscriptContent, sanitizeSchema } from "./safe-content.ts"
import { splitBlocks } from "./split-blocks.ts"

const remarkPlugins: NonNullable<Options["remarkPlugins"]> = [remarkGfm]
const rehypePlugins: NonNullable<Options["rehypePlugins"]> = [
  rehypeTranscriptContent,
  [rehypeSanitize, sanitizeSchema],
  rehypeAccessibleContent,
]

const settledComponents: Components = { pre: ({ children }) => <Pre streaming={false}>{children}</Pre> }
const tailComponents: Components = { pre: ({ children }) => <Pre streaming>{children}</Pre> }

/** Model text. While it streams, only the last block is parsed again; open marks in it are closed for display. */
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

const Block = memo(function Block({ text: written, tail }: { text: string; tail: boolean }) {
  const text = keepCommandLines(written)
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      components={tail ? tailComponents : settledComponents}
    >
      {tail ? remend(text, { linkMode: "text-only", images: false }) : text}
    </ReactMarkdown>
  )
})

/** Blocks only ever grow at the end, so their place is their identity. */
function blockKey(index: number): string {
  return String(index)
}

function Pre({ children, streaming }: { children: ReactNode; streaming: boolean }) {
  if (!isValidElement<ComponentProps<"code">>(children)) return <pre className={styles.code}>{children}</pre>
  const { className, children: code } = children.props
  const language = /language-([\w+#-]+)/.exec(className ?? "")?.[1] ?? null
  return <CodeBlock code={String(code ?? "").replace(/\n$/, "")} language={language} streaming={streaming} />
}
