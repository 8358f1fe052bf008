"use client"

import { ChevronsUpDown } from "lucide-react"
import type { ComponentPropsWithRef } from "react"
import { useMe } from "../../shell/me.tsx"
import { Initials } from "../../ui/person.tsx"
import styles from "./account-row.module.css"

export function AccountButton(props: Pick<ComponentPropsWithRef<"button">, "onClick" | "ref" | "id">) {
  const { person, name, role } = useMe()
  return (
    <button type="button" aria-haspopup="menu" {...props} className={styles.row}>
      <Initials person={person} />
      <span className="visually-hidden">Signed in as</span>
      <bdi className={styles.name}>{name}</bdi>
      <span className={styles.role}>{role}</span>
      <ChevronsUpDown size={13} aria-hidden />
    </button>
  )
}
