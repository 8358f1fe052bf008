import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import heading from "../../ui/task-heading.module.css"
import styles from "./child.module.css"

/** Reserves the space of a child's header until it is loaded, so that the transcript below does not move. */
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

/** Reserves the space of the brief and the result. */
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
