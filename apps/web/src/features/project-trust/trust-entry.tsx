"use client"

import type { ConfigEntry } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { Button } from "@mantine/core"
import { Settings2, ShieldCheck, TriangleAlert } from "lucide-react"
import { useState } from "react"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import { clipValue } from "./clip-value.ts"
import { describeEntry, type EntryWeight, entryWeight } from "./describe-entry.ts"
import { isWholeFile, pathInside } from "./group-entries.ts"
import styles from "./trust-dialog.module.css"

const glyphs = { careful: TriangleAlert, usual: Settings2, stricter: ShieldCheck }
const words: Record<EntryWeight, string> = { careful: "Careful", usual: "", stricter: "Counts already" }

/** One project-provided entry: what it does, then its key or file, its place and its original text. */
export function TrustEntry({ entry, directory }: { entry: ConfigEntry; directory: string | null }) {
  const whole = isWholeFile(entry)
  const name = whole ? pathInside(directory, entry.file) : entry.path.join(".")
  const weight = entryWeight(entry)
  const Glyph = glyphs[weight]
  return (
    <li className={styles.entry} data-weight={weight}>
      <Glyph size={15} aria-hidden className={styles.glyph} />
      <div className={styles.what}>
        <p className={styles.meaning}>
          {words[weight] === "" ? null : <span className={styles.word}>{words[weight]}</span>}{" "}
          {visibleText(describeEntry(entry))}.
        </p>
        {entry.note === null ? null : (
          <p className={styles.note}>
            <TextWithCode text={visibleText(entry.note)} />
          </p>
        )}
        <p className={styles.place}>
          <code>{visibleText(name)}</code>
          {whole ? null : <span className={styles.line}>line {entry.line}</span>}
        </p>
        <Value entry={entry} name={visibleText(name)} />
      </div>
    </li>
  )
}

function Value({ entry, name }: { entry: ConfigEntry; name: string }) {
  const [open, setOpen] = useState(false)
  const { begin, whole } = clipValue(entry)
  return (
    <>
      <pre className={styles.value}>{visibleText(open && whole !== null ? whole : begin)}</pre>
      {whole === null ? null : (
        <Button
          variant="subtle"
          className={styles.more ?? ""}
          aria-expanded={open}
          aria-label={`${open ? "Show less" : "Show all"} of ${name}`}
          onClick={() => setOpen(!open)}
        >
          {open ? "Show less" : `Show all ${whole.length.toLocaleString("en")} characters`}
        </Button>
      )}
    </>
  )
}
