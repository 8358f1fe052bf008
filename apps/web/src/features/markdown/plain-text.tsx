import styles from "./markdown.module.css"

/** Text as it was written, where its markup is not drawn. */
export function PlainText({ text }: { text: string }) {
  return <div className={styles.plain}>{text}</div>
}
