import { visibleText } from "@docket/core/visible-text"
import { formatCount } from "../../ui/format-count.ts"
import { Redactions } from "../../ui/redactions.tsx"
import { type DiffLine, parseUnifiedDiff } from "./parse-unified-diff.ts"
import styles from "./tools.module.css"

interface DiffPreviewProps {
  patch: string
  /** Maximum number of lines to show. */
  limit?: number
}

const signs: Record<DiffLine["kind"], string> = { add: "+", remove: "−", context: " ", hunk: "", file: "" }
const spoken: Partial<Record<DiffLine["kind"], string>> = { add: "added: ", remove: "removed: " }

/**
 * A unified diff as plain rows: cheap enough for every card and for server-rendered pages. Invisible and
 * direction-changing characters are made visible, so that reviewers see what compilers read (CVE-2021-42574).
 */
export function DiffPreview({ patch, limit = 400 }: DiffPreviewProps) {
  const lines = parseUnifiedDiff(visibleText(patch))
  const shown = lines.slice(0, limit)
  return (
    // A group, not a region: only parts of the page are landmarks, and a transcript has many diffs.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a diff that scrolls sideways must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" className={styles.diff} tabIndex={0} aria-label="Changes">
      {shown.map((line, index) => (
        <div key={lineKey(index)} className={styles.diffLine} data-kind={line.kind}>
          <span className={styles.lineNumber}>{line.kind === "hunk" ? "" : (line.after ?? line.before ?? "")}</span>
          <span aria-hidden className={styles.sign}>
            {signs[line.kind]}
          </span>
          {spoken[line.kind] ? <span className="visually-hidden">{spoken[line.kind]}</span> : null}
          <span>
            <Redactions text={line.kind === "hunk" ? `Line ${line.after} ${line.text}` : line.text} />
          </span>
        </div>
      ))}
      {lines.length > shown.length ? (
        <div className={styles.more}>{formatCount(lines.length - shown.length, "more line")}</div>
      ) : null}
    </div>
  )
}

/** Lines have no identity except their position. */
function lineKey(index: number): string {
  return String(index)
}
