"use client"

import { BookOpen, Bot, FileText, Slash, TextCursorInput } from "lucide-react"
import { useEffect, useRef } from "react"
import styles from "./completion-list.module.css"
import type { Suggestion } from "./use-completion.ts"

export const optionID = (list: string, index: number) => `${list}-${index}`

const icons = { agent: Bot, file: FileText, command: Slash, resource: BookOpen, value: TextCursorInput }
const labels: Partial<Record<Suggestion["kind"], string>> = {
  command: "Commands",
  resource: "Resources",
  value: "Values",
}

/**
 * The suggestion list for `@` and `/`. Focus stays in the text field; `active` is announced through
 * aria-activedescendant.
 */
export function CompletionList(props: {
  id: string
  suggestions: Suggestion[]
  active: number
  onPick: (suggestion: Suggestion) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[props.active]?.scrollIntoView({ block: "nearest" })
  }, [props.active])
  return (
    <div
      ref={list}
      id={props.id}
      role="listbox"
      aria-label={labels[props.suggestions[0]?.kind ?? "agent"] ?? "Agents and files"}
      className={styles.list}
    >
      {props.suggestions.map((suggestion, index) => (
        <div
          key={`${suggestion.kind}:${suggestion.value}`}
          id={optionID(props.id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === props.active}
          aria-disabled={suggestion.unavailable || undefined}
          className={styles.option}
          // A press must not move focus out of the text field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => props.onPick(suggestion)}
          // The text field handles the keys.
          onKeyDown={() => {}}
        >
          <Icon kind={suggestion.kind} />
          <span className={["file", "resource", "value"].includes(suggestion.kind) ? styles.path : styles.name}>
            {suggestion.value}
          </span>
          {suggestion.usage ? <span className={styles.usage}>{suggestion.usage}</span> : null}
          <span className={styles.hint}>{suggestion.hint}</span>
          {suggestion.origin ? <span className={styles.origin}>{suggestion.origin}</span> : null}
        </div>
      ))}
    </div>
  )
}

function Icon({ kind }: Pick<Suggestion, "kind">) {
  const Glyph = icons[kind]
  return <Glyph size={14} aria-hidden />
}
