import type { RefObject } from "react"
import { Redactions } from "../../ui/redactions.tsx"
import ansi from "./ansi.module.css"
import { endOfAnsi } from "./ansi-pieces.ts"
import { AnsiText } from "./ansi-text.tsx"
import styles from "./tools.module.css"

/** Longer output loses its beginning: the end shows the result (UTF-16 units). */
const shownOutput = 40_000

/** Longer commands are truncated, e.g. a script written inline (UTF-16 units). */
const shownCommand = 4_000

export interface TerminalProps {
  command: string
  output: string
  exitCode: number | null
  truncated: boolean
  running: boolean
  /** Wraps long lines; otherwise they scroll sideways. */
  wrap?: boolean
  /** The scroll area. */
  scroller?: RefObject<HTMLElement | null>
}

/** A command with its output in ANSI colours. */
export function Terminal({ command, output, exitCode, truncated, running, wrap = true, scroller }: TerminalProps) {
  const text = endOfAnsi(output, shownOutput)
  const cut = truncated || text.length < output.length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: output that scrolls must be reachable by keyboard
    <figure ref={scroller} className={styles.terminal} tabIndex={0} aria-label="Command output">
      <div className={styles.command} data-text="input">
        <span aria-hidden>$ </span>
        <Redactions text={command.slice(0, shownCommand)} />
        {command.length > shownCommand ? "…" : ""}
      </div>
      {cut ? <div className={styles.note}>Earlier output is not shown here.</div> : null}
      {text === "" ? null : (
        <pre className={`${styles.output} ${ansi.text}`} data-wrap={wrap} data-text="output">
          <AnsiText text={text} />
        </pre>
      )}
      {running ? <div className={styles.note}>Running…</div> : null}
      {exitCode === null || exitCode === 0 ? null : <div className={styles.failedNote}>Exit code {exitCode}</div>}
    </figure>
  )
}
