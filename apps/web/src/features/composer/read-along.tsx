"use client"

import { Eye } from "lucide-react"
import { useMe } from "../../shell/me.tsx"
import styles from "./read-along.module.css"

/** Shown instead of the prompt field to users who may not prompt. */
export function ReadAlong() {
  const { can, whyNot } = useMe()
  return (
    <p className={styles.line} title={whyNot("prompt")}>
      <Eye size={15} aria-hidden />
      <span>{can("comment") ? "You read along, comment and judge." : "You read along."} Prompts are for members.</span>
    </p>
  )
}
