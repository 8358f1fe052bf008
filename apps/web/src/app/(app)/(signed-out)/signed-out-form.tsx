"use client"

import { Button, PasswordInput, TextInput } from "@mantine/core"
import { type FormEvent, type ReactNode, useState } from "react"
import styles from "./signed-out-form.module.css"

export interface SignedOutField {
  name: string
  label: string
  description?: string
  type?: "text" | "email" | "password"
  /** Hint for password managers and browsers. */
  autoComplete: string
  value?: string
  readOnly?: boolean
  inputMode?: "numeric"
}

/** The description is below the field, away from the label of the next field. */
const order: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"]

/** Fields and one button. `submit` returns the error; null when it has gone on to another page. */
export function SignedOutForm({
  fields,
  action,
  submit,
  children,
}: {
  fields: readonly SignedOutField[]
  action: string
  submit(values: Record<string, string>): Promise<string | null>
  children?: ReactNode
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
    setBusy(true)
    const found = await submit(Object.fromEntries(values))
    setProblem(found)
    // On success the button stays busy until the next page is shown.
    if (found !== null) setBusy(false)
  }
  return (
    <form className={styles.form} onSubmit={send}>
      {fields.map(({ type = "text", value, ...field }, index) => {
        const given = {
          ...field,
          required: true,
          withAsterisk: false,
          size: "md",
          defaultValue: value,
          inputWrapperOrder: order,
        } as const
        const first = { autoFocus: index === fields.findIndex(({ readOnly }) => readOnly !== true) }
        return type === "password" ? (
          <PasswordInput key={field.name} {...given} {...first} />
        ) : (
          <TextInput key={field.name} type={type} {...given} {...first} />
        )
      })}
      {problem === null ? null : (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <Button type="submit" variant="filled" size="md" loading={busy}>
        {action}
      </Button>
      {children}
    </form>
  )
}
