import { DiffPreview } from "../../tools/diff-preview.tsx"
import styles from "../ask-card.module.css"
import type { RequestDescription } from "../describe-request.ts"
import { CommandFacts } from "./command-facts.tsx"

/** What would happen, for which task, and why the agent asks. */
export function RequestBody({ shown }: { shown: RequestDescription }) {
  const { path, alsoNamed, title, command, effects, input, diff, reasons } = shown
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.body} tabIndex={0} aria-label="What would happen">
      {path.length > 0 ? <p className={styles.from}>for the task {path.join(" › ")}</p> : null}
      {title ? <p>{title}</p> : null}
      {alsoNamed.length > 0 ? <AlsoNamed names={alsoNamed} /> : null}
      {command ? <pre className={styles.code}>{command}</pre> : null}
      {effects ? <CommandFacts effects={effects} command={command ?? ""} /> : null}
      {input ? <pre className={styles.code}>{input}</pre> : null}
      {diff ? (
        <div className={styles.diff}>
          <DiffPreview patch={diff} />
        </div>
      ) : null}
      {reasons.map((reason) => (
        <p key={reason} className={styles.why}>
          {reason}
        </p>
      ))}
    </section>
  )
}

/** The names that do not fit into the heading: nobody allows what they cannot see. */
function AlsoNamed({ names }: { names: string[] }) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Also</dt>
        <dd>
          {names.map((name) => (
            <code key={name}>{name}</code>
          ))}
        </dd>
      </div>
    </dl>
  )
}
