import Anser from "anser"
import styles from "./tools.module.css"

/** More output than this is cut at the front: the end says how it went (UTF-16 units). */
const shownOutput = 40_000

interface TerminalProps {
  command: string
  output: string
  exitCode: number | null
  truncated: boolean
  running: boolean
}

/** A command with its output, ANSI colours kept. */
export function Terminal({ command, output, exitCode, truncated, running }: TerminalProps) {
  const text = output.length > shownOutput ? output.slice(-shownOutput) : output
  const cut = truncated || text.length < output.length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: output that scrolls must be reachable by keyboard
    <section className={styles.terminal} tabIndex={0} aria-label="Command output">
      <div className={styles.command}>
        <span aria-hidden>$ </span>
        {command}
      </div>
      {cut ? <div className={styles.note}>Earlier output is not shown here.</div> : null}
      {text === "" ? null : (
        <pre className={styles.output}>{text.includes("\u001b") ? <Ansi text={text} /> : text}</pre>
      )}
      {running ? <div className={styles.note}>Running…</div> : null}
      {exitCode === null || exitCode === 0 ? null : <div className={styles.failedNote}>Exit code {exitCode}</div>}
    </section>
  )
}

function Ansi({ text }: { text: string }) {
  const pieces = Anser.ansiToJson(text, { use_classes: true, remove_empty: true, json: true })
  return pieces.map((piece, index) => {
    const marks = [piece.fg, ...piece.decorations].filter((name) => name !== null && name !== "")
    // Stretches of text have no identity but their place.
    const key = String(index)
    return marks.length === 0 ? (
      <span key={key}>{piece.content}</span>
    ) : (
      <span key={key} data-ansi={marks.join(" ")}>
        {piece.content}
      </span>
    )
  })
}
