"use client"

import type { ConfigEntry, ProjectTrust } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { Button } from "@mantine/core"
import { useState } from "react"
import { type EntryGroup, groupEntries, pathInside } from "./group-entries.ts"
import styles from "./trust-dialog.module.css"
import { TrustEntry } from "./trust-entry.tsx"

/** Entries of a file that are shown before it is expanded. */
const shownEntries = 100

/** All project-provided settings. After a change, the new ones come first. */
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
    <Group
      key={group.name}
      name={group.isFile ? visibleText(pathInside(directory, group.name)) : group.name}
      directory={directory}
      group={group}
      Heading={heading}
    />
  ))
}

interface GroupProps extends Pick<GroupsProps, "directory"> {
  name: string
  group: EntryGroup
  Heading: GroupsProps["heading"]
}

function Group({ name, directory, group: { entries, isFile, noun }, Heading }: GroupProps) {
  const [all, setAll] = useState(false)
  const shown = all ? entries : entries.slice(0, shownEntries)
  return (
    <section className={styles.group} aria-label={name}>
      <Heading className={styles.file}>
        {isFile ? <code>{name}</code> : <span>{name}</span>}
        <span className={styles.count}>{countOf(entries.length, noun)}</span>
      </Heading>
      <ul>
        {shown.map((entry) => (
          <TrustEntry key={[entry.file, ...entry.path].join("\n")} entry={entry} directory={directory} />
        ))}
      </ul>
      {shown.length < entries.length ? (
        <Button onClick={() => setAll(true)}>Show all {countOf(entries.length, noun)}</Button>
      ) : null}
    </section>
  )
}

function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`
}
