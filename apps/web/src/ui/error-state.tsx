import { Button } from "@mantine/core"
import styles from "./notice.module.css"

/** A part of a page that failed: what happened, what to do, and a retry when there is one. */
export function ErrorState(props: { title: string; message: string; onRetry?: () => void }) {
  return (
    <div role="alert" className={`${styles.notice} ${styles.failed}`}>
      <strong>{props.title}</strong>
      <p>{props.message}</p>
      {props.onRetry ? <Button onClick={props.onRetry}>Try again</Button> : null}
    </div>
  )
}
