"use client"

import { useTRPC } from "@docket/client/react"
import type { Agent } from "@docket/core/schema"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Mention, type MentionQuery, mentionAt } from "./mention.ts"

/** Most rows of the list. */
const limit = 8

export interface Suggestion extends Mention {
  hint: string
}

function matchingAgents(agents: Agent[], typed: string): Suggestion[] {
  const needle = typed.toLowerCase()
  return agents
    .filter((agent) => agent.name.toLowerCase().includes(needle))
    .sort((a, b) => Number(b.name.toLowerCase().startsWith(needle)) - Number(a.name.toLowerCase().startsWith(needle)))
    .map((agent) => ({ kind: "agent", value: agent.name, hint: agent.description }))
}

/** What `@` at the caret could mean: one of these agents first, then files of the project. */
export function useCompletion(projectID: string, agents: Agent[]) {
  const trpc = useTRPC()
  const [query, setQuery] = useState<MentionQuery | null>(null)
  const [active, setActive] = useState(0)
  const [typed] = useDebouncedValue(query?.text ?? "", 80)
  const files = useQuery({
    ...trpc.project.files.queryOptions({ projectID, query: typed, limit }),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  const suggestions: Suggestion[] = query
    ? [
        ...matchingAgents(agents, query.text),
        ...(files.data ?? []).map((value): Suggestion => ({ kind: "file", value, hint: "" })),
      ].slice(0, limit)
    : []

  return {
    query,
    suggestions,
    active: Math.min(active, Math.max(0, suggestions.length - 1)),
    open: query !== null && suggestions.length > 0,
    /** Call after every change of text or caret. */
    follow(text: string, caret: number) {
      const next = mentionAt(text, caret)
      if (next?.text !== query?.text) setActive(0)
      setQuery(next)
    },
    move(by: 1 | -1) {
      setActive((index) => (index + by + suggestions.length) % Math.max(1, suggestions.length))
    },
    close: () => setQuery(null),
  }
}
