"use client"

import type { ShareDecisions } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useState } from "react"
import { PageLink } from "../../shell/page-link.tsx"
import { Redactions } from "../../ui/redactions.tsx"
import {
  type Decision,
  decideFinding,
  decideRule,
  decisionOn,
  type FindingGroup,
  groupFindings,
  type PreviewFinding,
  summary,
} from "./finding-groups.ts"
import styles from "./share-dialog.module.css"

interface FindingsProps {
  rootID: string
  findings: readonly PreviewFinding[]
  /** Digests of the findings that are new since the user's first look. */
  fresh: ReadonlySet<string>
  decisions: ShareDecisions
  onDecide(decisions: ShareDecisions): void
}

/** Number of findings, and of places of a finding, that are shown at first. */
const findingsAtOnce = 20
const placesAtOnce = 3

/**
 * All findings of the scan, by rule, with a decision for each. Everything is hidden unless the user decides otherwise.
 */
export function FindingsReview({ findings, ...props }: FindingsProps) {
  const groups = groupFindings(findings)
  if (groups.length === 0)
    return (
      <p className={styles.part}>
        Nothing was found that looks secret. Docket cannot know every secret: look through the session first.
      </p>
    )
  return (
    <section className={styles.part} aria-label="What was found">
      <h3>What was found: {summary(findings, props.decisions)}</h3>
      <ul>
        {groups.map((group) => (
          <Group key={group.rule} group={group} {...props} />
        ))}
      </ul>
    </section>
  )
}

type GroupProps = Omit<FindingsProps, "findings"> & { group: FindingGroup }

function Group({ group, fresh, decisions, onDecide, rootID }: GroupProps) {
  const [isOpen, setOpen] = useState(false)
  const [shownCount, setShownCount] = useState(findingsAtOnce)
  const { name, severity, findings, count, rule } = group
  const isNew = findings.some(({ digest }) => fresh.has(digest))
  const groupDecisions = new Set(findings.map((finding) => decisionOn(decisions, finding)))
  return (
    <li className={styles.group} data-severity={severity}>
      <div className={styles.groupHead}>
        <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span className={styles.name}>{name}</span>
          <span className={styles.meta}>
            {severity === "secret" ? "secret" : "private"} · {count === 1 ? "one place" : `${count} places`}
            {isNew ? " · new" : ""}
          </span>
        </button>
        <DecisionField
          label={`What becomes of ${name}`}
          // The decisions on the findings of one rule may differ.
          value={groupDecisions.size === 1 ? ([...groupDecisions][0] ?? "redact") : null}
          isSecret={severity === "secret"}
          onDecide={(decision) => onDecide(decideRule(decisions, group, decision))}
        />
      </div>
      {isOpen ? (
        <ul className={styles.findings}>
          {findings.slice(0, shownCount).map((finding) => (
            <Found
              key={`${rule}/${finding.digest}`}
              finding={finding}
              rootID={rootID}
              isNew={fresh.has(finding.digest)}
              decision={decisionOn(decisions, finding)}
              onDecide={(decision) => onDecide(decideFinding(decisions, finding, decision))}
            />
          ))}
          {findings.length > shownCount ? (
            <li>
              <Button variant="subtle" onClick={() => setShownCount(shownCount + findingsAtOnce)}>
                {findings.length - shownCount} more
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </li>
  )
}

interface FoundProps {
  finding: PreviewFinding
  rootID: string
  isNew: boolean
  decision: Decision
  onDecide(decision: Decision): void
}

function Found({ finding, rootID, isNew, decision, onDecide }: FoundProps) {
  const { label, places, count, severity } = finding
  const more = count - Math.min(places.length, placesAtOnce)
  return (
    <li className={styles.found}>
      <ul>
        {places.slice(0, placesAtOnce).map((place, index) => (
          // One part may have several places.
          <li key={`${place.partID}/${String(index)}`} className={styles.place}>
            <span className={styles.excerpt}>
              <Redactions text={place.excerpt} />
            </span>
            <PageLink href={placeHref(rootID, place)}>Open</PageLink>
          </li>
        ))}
      </ul>
      <span className={styles.meta}>
        {more > 0 ? `and ${more === 1 ? "one more place" : `${more} more places`}` : ""}
        {isNew ? " new" : ""}
      </span>
      <DecisionField
        label={`What becomes of this ${label}`}
        value={decision}
        isSecret={severity === "secret"}
        onDecide={onDecide}
      />
    </li>
  )
}

interface DecisionFieldProps {
  label: string
  /** Null if the findings have different decisions. */
  value: Decision | null
  isSecret: boolean
  onDecide(decision: Decision): void
}

const choices = [
  { value: "redact", label: "Hide" },
  { value: "accept", label: "Show" },
  { value: "omit", label: "Leave its part out" },
] as const

/** The choice between hide, show and leave out. Showing a secret needs a confirmation. */
function DecisionField({ label, value, isSecret, onDecide }: DecisionFieldProps) {
  const [isAsking, setAsking] = useState(false)
  if (isAsking)
    return (
      <fieldset aria-label={label} className={styles.ask}>
        <span>Show this secret to all readers?</span>
        <Button
          color="red"
          onClick={() => {
            setAsking(false)
            onDecide("accept")
          }}
        >
          Show it
        </Button>
        <Button ref={(button) => button?.focus()} onClick={() => setAsking(false)}>
          Keep it hidden
        </Button>
      </fieldset>
    )
  return (
    <select
      className={styles.decision}
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => {
        const chosen = choices.find((choice) => choice.value === event.currentTarget.value)?.value ?? "redact"
        if (chosen === "accept" && isSecret) setAsking(true)
        else onDecide(chosen)
      }}
    >
      {value === null ? <option value="">Differs</option> : null}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}

function placeHref(rootID: string, { sessionID, partID }: PreviewFinding["places"][number]): string {
  const page = sessionID === rootID ? `/s/${rootID}` : `/s/${rootID}/c/${sessionID}`
  return partID === null ? page : `${page}?part=${partID}`
}
