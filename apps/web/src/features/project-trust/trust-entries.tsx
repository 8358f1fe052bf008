"use client"

import type { ConfigEntry, ProjectTrust } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { Button } from "@mantine/core"
import { useState } from "react"
import { type EntryGroup, groupEntries, pathInside } from "./group-entries.ts"
import styles from "./trust-dialog.module.css"
import { TrustEntry } from "./trust-entry.tsx"

/** Entries of a file that are shown unasked. */
const shownEntries = 100

/** All that a project would set; after a change what is new stands first. */
export function TrustEntries({ trust: { state, directory, entries } }: { trust: ProjectTrust }) {
  if (state !== "changed") return <Groups directory={directory} entries={entries} heading="h3" />
  const fresh = entries.filter(({ known }) => !known)
  const known = entries.filter((entry) => entry.known)
  return (
    <>
      <h3 className={styles.heading}>New since you trusted it ({fresh.length})</h3>
      {fresh.length === 0 ? (
        <p className={styles.hint}>Nothing: something that you trusted is gone, or stands elsewhere.</p>
      ) : (
        <Groups directory={directory} entries={fresh} heading="h4" />
      )}
      {known.length === 0 ? null : (
        <details className={styles.known}>
          <summary>As you trusted it ({known.length})</summary>
          <Groups directory={directory} entries={known} heading="h4" />
        </details>
      )}
    </>
  )
}

interface GroupsProps {
  directory: string | null
  entries: ConfigEntry[]
  /** The level of the files' headings. */
  heading: "h3" | "h4"
}

function Groups({ directory, entries, heading }: GroupsProps) {
  return groupEntries(entries).map((group) => (
    <Group key={group.file} name={visibleText(pathInside(directory, group.file))} group={group} Heading={heading} />
  ))
}

function Group(props: { name: string; group: EntryGroup; Heading: GroupsProps["heading"] }) {
  const {
    name,
    group: { entries },
    Heading,
  } = props
  const [all, setAll] = useState(false)
  const shown = all ? entries : entries.slice(0, shownEntries)
  return (
    <section className={styles.group} aria-label={name}>
      <Heading className={styles.file}>
        <code>{name}</code>
        <span className={styles.count}>{entries.length === 1 ? "1 setting" : `${entries.length} settings`}</span>
      </Heading>
      <ul>
        {shown.map((entry) => (
          <TrustEntry key={entry.path.join("\n")} entry={entry} />
        ))}
      </ul>
      {shown.length < entries.length ? (
        <Button onClick={() => setAll(true)}>Show all {entries.length.toLocaleString("en")} settings</Button>
      ) : null}
    </section>
  )
}
