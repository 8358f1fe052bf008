import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import heading from "../../ui/task-heading.module.css"
import styles from "./child.module.css"

/** The room of a child's head until it is known, so that the transcript below it does not move when it comes. */
export function ChildHeaderSpace() {
  return (
    <header className={styles.header}>
      <div className={heading.title}>
        <h1>
          <span className="visually-hidden">Loading the task</span>&nbsp;
        </h1>
      </div>
      <BriefAndResultSpace />
    </header>
  )
}

/** The room of what the child was told and what it returned. */
export function BriefAndResultSpace() {
  return (
    <div className={styles.pair}>
      {["Brief", "Result"].map((title) => (
        <section key={title} className={styles.box}>
          <h2>{title}</h2>
          <SkeletonRows count={2} height={18} label={`Loading the ${title.toLowerCase()}`} />
        </section>
      ))}
    </div>
  )
}
