import { Redactions } from "../../ui/redactions.tsx"
import styles from "./tools.module.css"

/** Longer values are truncated (UTF-16 units). */
const shownLength = 20_000

/** Input and output of a tool without a card of its own. */
export function JsonView({ input, output }: { input: unknown; output: string | null }) {
  return (
    <div className={styles.json}>
      <Block label="Input" text={typeof input === "string" ? input : JSON.stringify(input ?? null, null, 2)} />
      {output === null ? null : <Block label="Output" text={output} />}
    </div>
  )
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <figure data-text={label.toLowerCase()}>
      <figcaption className={styles.note}>{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
      <pre className={styles.plain} tabIndex={0}>
        <Redactions text={text.slice(0, shownLength)} />
      </pre>
    </figure>
  )
}
