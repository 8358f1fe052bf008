"use client"

import { foldText } from "../../ui/fold-text.ts"
import { CodeBlock } from "../markdown/code-block.tsx"
import { ShowAll } from "./show-all.tsx"
import styles from "./tools.module.css"

/** More lines than a user would scroll through in a box. */
const shownLines = { head: 600, tail: 0 }

/** The text of a file or a result, in a box of its own. */
export function LongCode({ text, language }: { text: string; language: string | null }) {
  const folded = foldText(text, shownLines)
  return (
    <>
      <div className={styles.code}>
        <CodeBlock code={folded?.head ?? text} language={language} />
      </div>
      {folded === null ? null : <ShowAll text={text} noun="text" />}
    </>
  )
}
