import type { ComponentPropsWithRef } from "react"
import styles from "./link-button.module.css"

/** A quiet button that looks like a link, in or below small text. */
export function LinkButton(props: Omit<ComponentPropsWithRef<"button">, "type" | "className">) {
  return <button type="button" className={styles.link} {...props} />
}
