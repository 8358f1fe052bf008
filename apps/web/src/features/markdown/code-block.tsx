"use client"

import { memo, useEffect, useState } from "react"
import { CopyButton } from "../../shell/copy-button.tsx"
import { loadPart } from "../../ui/load-part.ts"
import type { CodeHighlighter, CodeToken } from "./highlight.ts"
import styles from "./markdown.module.css"

/** One highlighter for the whole tab, because grammars are large. */
let highlighter: Promise<CodeHighlighter> | null = null

async function highlight(code: string, language: string): Promise<CodeToken[][] | null> {
  highlighter ??= loadPart(() => import("./highlight.ts")).then((module) => module.createCodeHighlighter())
  // After a failure, the next block tries again.
  highlighter.catch(() => {
    highlighter = null
  })
  return (await highlighter).highlight(code, language)
}

interface CodeBlockProps {
  code: string
  language: string | null
  /** The code is still streaming: plain until the fence closes. */
  streaming?: boolean
}

/** Code, first plain, then coloured when the grammar is loaded. The height stays the same. */
export const CodeBlock = memo(function CodeBlock({ code, language, streaming = false }: CodeBlockProps) {
  const [lines, setLines] = useState<{ code: string; tokens: CodeToken[][] } | null>(null)
  useEffect(() => {
    if (language === null || streaming) return
    let current = true
    highlight(code, language).then(
      (tokens) => {
        if (current && tokens) setLines({ code, tokens })
      },
      () => {
        // If the grammar fails to load, the block stays plain.
      },
    )
    return () => {
      current = false
    }
  }, [code, language, streaming])
  const tokens = lines?.code === code ? lines.tokens : null
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls sideways must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        <code>{tokens === null ? code : tokens.map((line, index) => <Line key={lineKey(index)} tokens={line} />)}</code>
      </pre>
      {streaming ? null : <CopyButton text={code} what="the code" className={styles.copy} />}
    </div>
  )
})

function Line({ tokens }: { tokens: CodeToken[] }) {
  return (
    <>
      {tokens.map((token, index) => (
        <span key={lineKey(index)} className={styles.token} style={token.style}>
          {token.content}
        </span>
      ))}
      {"\n"}
    </>
  )
}

/** Lines and tokens have no identity except their position. */
function lineKey(index: number): string {
  return String(index)
}
