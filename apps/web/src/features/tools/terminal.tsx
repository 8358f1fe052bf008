import type { RefObject } from "react"
import { Redactions } from "../../ui/redactions.tsx"
import ansi from "./ansi.module.css"
import { endOfAnsi } from "./ansi-pieces.ts"
import { AnsiText } from "./ansi-text.tsx"
import styles from "./tools.module.css"

/** More output than this is cut at the front: the end says how it went (UTF-16 units). */
const shownOutput = 40_000

/** More of a command is cut: a script that is written in one (UTF-16 units). */
const shownCommand = 4_000

export interface TerminalProps {
  command: string
  output: string
  exitCode: number | null
  truncated: boolean
  running: boolean
  /** Long lines go on below; else they are scrolled to. */
  wrap?: boolean
  /** What scrolls. */
  scroller?: RefObject<HTMLElement | null>
}

/** A command with its output, ANSI colours kept. */
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
