"use client"

import { ChevronsUpDown } from "lucide-react"
import type { ComponentPropsWithRef } from "react"
import { WorkspaceMark } from "./workspace-mark.tsx"
import styles from "./workspace-row.module.css"

export function WorkspaceButton({
  name,
  className = "",
  ...props
}: ComponentPropsWithRef<"button"> & { name: string }) {
  return (
    <button type="button" className={`${styles.row} ${className}`} {...props}>
      <WorkspaceMark name={name} />
      <span className="visually-hidden">Workspace</span>
      <bdi className={styles.name}>{name}</bdi>
      <ChevronsUpDown size={14} aria-hidden />
    </button>
  )
}
