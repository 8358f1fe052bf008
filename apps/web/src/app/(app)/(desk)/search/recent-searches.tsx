"use client"

import { visibleText } from "@docket/core/rule"
import { Button } from "@mantine/core"
import { useEffect, useState } from "react"
import { forgetSearches, recentSearches } from "../../../../features/search/recent-searches.ts"
import { EmptyState } from "../../../../ui/empty-state.tsx"
import styles from "./search.module.css"

const examples = [
  '"exact words" kind:answer',
  "tool:bash status:failed",
  "file:src/ agent:explore after:7d",
  "cost:>0.5 -draft",
]

/** Shown before a search: recent searches, and examples of queries. */
export function RecentSearches({ onChoose }: { onChoose: (text: string) => void }) {
  // Stored only in the browser.
  const [recent, setRecent] = useState<string[]>([])
  useEffect(() => setRecent(recentSearches()), [])
  return (
    <>
      <EmptyState>Find prompts, answers, calls of tools and titles in all sessions and their subagents.</EmptyState>
      {recent.length === 0 ? null : (
        <Choices title="Recent searches" texts={recent} onChoose={onChoose}>
          <Button
            size="compact-xs"
            onClick={() => {
              forgetSearches()
              setRecent([])
            }}
          >
            Forget them
          </Button>
        </Choices>
      )}
      <Choices title="For example" texts={examples} onChoose={onChoose} />
    </>
  )
}

interface ChoicesProps {
  title: string
  texts: readonly string[]
  onChoose: (text: string) => void
  children?: React.ReactNode
}

function Choices({ title, texts, onChoose, children }: ChoicesProps) {
  return (
    <section aria-label={title} className={styles.choices}>
      <div className={styles.choicesHead}>
        <h2 className={styles.heading}>{title}</h2>
        {children}
      </div>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <button type="button" className={styles.choice} onClick={() => onChoose(text)}>
              {visibleText(text)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
