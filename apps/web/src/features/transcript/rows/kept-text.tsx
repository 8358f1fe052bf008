"use client"

import { FileText } from "lucide-react"
import { useState } from "react"
import { formatSize } from "../../../ui/format.ts"
import type { ShownFile } from "../../tools/shown-file.ts"
import { WholeText } from "../../tools/whole-text.tsx"
import styles from "./rows.module.css"

/** A long text of a prompt, which is fetched when it is opened. */
export function KeptText({ file }: { file: ShownFile }) {
  const { address, name, size } = file
  const [text, setText] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const open = async () => {
    const answer = await fetch(address ?? "").catch(() => null)
    const read = answer?.ok ? await answer.text().catch(() => null) : null
    setText(read)
    setProblem(read !== null ? null : answer?.status === 404 ? "not there any more" : "could not be loaded")
  }
  return (
    <>
      <button type="button" className={styles.chip} aria-haspopup="dialog" onClick={() => void open()}>
        <FileText size={13} aria-hidden />
        {name}
        {size === null ? null : <span>{formatSize(size)}</span>}
        {problem === null ? null : <span role="status"> · {problem}</span>}
      </button>
      {text === null ? null : <WholeText text={text} noun={name} onClose={() => setText(null)} />}
    </>
  )
}
