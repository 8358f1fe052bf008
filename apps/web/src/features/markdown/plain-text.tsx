import styles from "./markdown.module.css"

/** Shows source text where its markup is not rendered. */
export function PlainText({ text }: { text: string }) {
  return <div className={styles.plain}>{text}</div>
}
