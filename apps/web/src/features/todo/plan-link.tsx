import type { Todo, TodoPlan } from "@docket/core/schema"
import Link from "next/link"
import styles from "./todo-board.module.css"

/** The plan step of an item, as a link to where the plan was submitted. */
export function PlanLink({ todo, plan }: { todo: Todo; plan: TodoPlan }) {
  const words = `Step ${plan.step} of the plan`
  if (todo.sessionID === null || plan.partID === null) return <span className={styles.planLink}>{words}</span>
  return (
    <Link
      className={styles.planLink}
      href={`/s/${todo.sessionID}?part=${encodeURIComponent(plan.partID)}`}
      title={`${words}: ${plan.file}`}
    >
      {words}
    </Link>
  )
}
