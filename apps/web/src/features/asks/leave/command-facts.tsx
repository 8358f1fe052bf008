import { factsOf } from "@docket/core/rule"
import type { CommandEffects } from "@docket/core/schema"
import styles from "../ask-card.module.css"

/** What a command runs, writes and reads, as far as its text shows. */
export function CommandFacts({ effects, command }: { effects: CommandEffects; command: string }) {
  const facts = factsOf(effects, command)
  if (facts.length === 0 && !effects.more) return null
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, kind, items, rest }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {kind === "unknown" ? "what is changed by " : null}
            {items.map((item) => (kind === "words" ? <p key={item}>{item}</p> : <code key={item}>{item}</code>))}
            {rest > 0 ? `and ${rest} more` : null}
          </dd>
        </div>
      ))}
      {effects.more ? (
        <div>
          <dt>And</dt>
          <dd>more that is computed only when it runs, or too many to list</dd>
        </div>
      ) : null}
    </dl>
  )
}
