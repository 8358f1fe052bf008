"use client"

import { PasswordInput, TextInput } from "@mantine/core"
import { ChoiceField } from "../../ui/choice-field.tsx"
import styles from "./share-dialog.module.css"
import { type Ends, endChoices, type ShareForm } from "./share-form.ts"

interface ShareFieldsProps {
  form: ShareForm
  onChange(change: Partial<ShareForm>): void
  isNew: boolean
  /** The content of a frozen share cannot change. */
  isFrozen: boolean
  hasPassword: boolean
}

const shownParts = [
  ["outputs", "What tools put out"],
  ["reasoning", "Thoughts"],
  ["files", "Files of prompts"],
  ["pictures", "Pictures and PDFs, which no scan for secrets can read"],
] as const

/** The fields of a share: audience, end, and content. */
export function ShareFields({ form, onChange, isNew, isFrozen, hasPassword }: ShareFieldsProps) {
  const { title, audience, mode, ends, endsAt, password } = form
  return (
    <div className={styles.fields}>
      {isFrozen ? null : (
        <TextInput
          className={styles.wide ?? ""}
          label="Title"
          placeholder="That of the session"
          maxLength={200}
          value={title}
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
      )}
      <ChoiceField
        label="Who may open it"
        value={audience}
        choices={[
          { value: "link", label: "Anyone with the link" },
          { value: "workspace", label: "People signed in here" },
        ]}
        onChange={(value) => onChange({ audience: value === "workspace" ? "workspace" : "link" })}
      />
      {isNew ? (
        <ChoiceField
          label="What it follows"
          value={mode}
          choices={[
            { value: "live", label: "The work, live" },
            { value: "frozen", label: "Frozen as it is now" },
          ]}
          onChange={(value) => onChange({ mode: value === "frozen" ? "frozen" : "live" })}
        />
      ) : null}
      <EndFields ends={ends} endsAt={endsAt} onChange={onChange} />
      <PasswordInput
        label={hasPassword ? "Another password" : "Password"}
        placeholder={hasPassword ? "As it is" : "None"}
        autoComplete="new-password"
        maxLength={200}
        value={password}
        onChange={(event) => onChange({ password: event.currentTarget.value })}
      />
      <Checks form={form} onChange={onChange} isFrozen={isFrozen} hasPassword={hasPassword} />
    </div>
  )
}

function EndFields({
  ends,
  endsAt,
  onChange,
}: Pick<ShareForm, "ends" | "endsAt"> & Pick<ShareFieldsProps, "onChange">) {
  return (
    <>
      <ChoiceField
        label="Ends"
        value={ends}
        choices={endChoices}
        // The value is one of the choices above.
        onChange={(value) => onChange({ ends: value as Ends })}
      />
      {ends === "at" ? (
        <TextInput
          type="datetime-local"
          label="Ends at"
          value={endsAt}
          onChange={(event) => onChange({ endsAt: event.currentTarget.value })}
        />
      ) : null}
    </>
  )
}

/** Checkboxes for optional content, for indexing, and for removing the password. */
function Checks({ form, onChange, isFrozen, hasPassword }: Omit<ShareFieldsProps, "isNew">) {
  const { shows, indexed, dropsPassword } = form
  return (
    <>
      {isFrozen ? null : (
        <fieldset className={styles.wide}>
          <legend>Also show, next to words and todos</legend>
          {shownParts.map(([name, label]) => (
            <Check
              key={name}
              label={label}
              isChecked={shows[name]}
              onChange={(isChecked) => onChange({ shows: { ...shows, [name]: isChecked } })}
            />
          ))}
        </fieldset>
      )}
      <fieldset className={styles.wide}>
        <legend>The link</legend>
        <Check
          label="Search engines may list it"
          isChecked={indexed}
          onChange={(isChecked) => onChange({ indexed: isChecked })}
        />
        {hasPassword ? (
          <Check
            label="Take the password off"
            isChecked={dropsPassword}
            onChange={(isChecked) => onChange({ dropsPassword: isChecked })}
          />
        ) : null}
      </fieldset>
    </>
  )
}

interface CheckProps {
  label: string
  isChecked: boolean
  onChange(isChecked: boolean): void
}

function Check({ label, isChecked, onChange }: CheckProps) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}
