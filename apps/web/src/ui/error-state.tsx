import { Button } from "@mantine/core"
import styles from "./notice.module.css"

/** An error in a part of a page: what happened, what to do, and a retry button if possible. */
export function ErrorState(props: { title: string; message: string; onRetry?: () => void }) {
  return (
    <div role="alert" className={`${styles.notice} ${styles.failed}`}>
      <strong>{props.title}</strong>
      <p>{props.message}</p>
      {props.onRetry ? <Button onClick={props.onRetry}>Try again</Button> : null}
    </div>
  )
}
