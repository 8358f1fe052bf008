"use client"

import { useTRPC } from "@docket/client/react"
import type { Agent } from "@docket/core/schema"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Mention, type MentionQuery, mentionAt } from "./mention.ts"
import { type SlashNames, slashAt } from "./slash.ts"
import { slashEntries } from "./slash-entries.ts"

/** Maximum number of suggestions. */
const limit = 8

export interface Suggestion {
  kind: Mention["kind"] | "command"
  value: string
  hint: string
  /** The arguments to type after a command. */
  usage?: string
  /** The command's owner, unless it is built in. */
  origin?: string
  /** The command is not available now; the hint says why. */
  unavailable?: boolean
}

function matchingAgents(agents: Agent[], typed: string): Suggestion[] {
  const needle = typed.toLowerCase()
  return agents
    .filter((agent) => agent.name.toLowerCase().includes(needle))
    .sort((a, b) => Number(b.name.toLowerCase().startsWith(needle)) - Number(a.name.toLowerCase().startsWith(needle)))
    .map((agent) => ({ kind: "agent", value: agent.name, hint: agent.description }))
}

function commandSuggestions(names: SlashNames, typed: string): Suggestion[] {
  return slashEntries(names, typed).map(({ name, usage, description, origin, unavailable }) => ({
    kind: "command",
    value: name,
    hint: description,
    usage,
    ...(origin !== null && { origin }),
    unavailable: unavailable !== null,
  }))
}

/**
 * Suggestions for the word at the caret: after `@` the agents, then files of the project; after `/` at the start of the
 * prompt the commands.
 */
export function useCompletion(projectID: string, agents: Agent[], names: SlashNames) {
  const trpc = useTRPC()
  const [query, setQuery] = useState<MentionQuery | null>(null)
  const [slash, setSlash] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const [searched] = useDebouncedValue(query?.text ?? "", 80)
  const files = useQuery({
    ...trpc.project.files.queryOptions({ projectID, query: searched, limit }),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  const suggestions: Suggestion[] = query
    ? [
        ...matchingAgents(agents, query.text),
        ...(files.data ?? []).map((value): Suggestion => ({ kind: "file", value, hint: "" })),
      ].slice(0, limit)
    : slash === null
      ? []
      : commandSuggestions(names, slash)

  return {
    /** The `@` mention that is being typed; null for none. */
    query,
    /** The text after `/` that is being typed. */
    slash,
    suggestions,
    active: Math.min(active, Math.max(0, suggestions.length - 1)),
    open: suggestions.length > 0,
    /** Must be called after every change of the text or the caret. */
    follow(text: string, caret: number) {
      const next = mentionAt(text, caret)
      const nextSlash = slashAt(text, caret)
      if (next?.text !== query?.text || nextSlash !== slash) setActive(0)
      setQuery(next)
      setSlash(nextSlash)
    },
    move(by: 1 | -1) {
      setActive((index) => (index + by + suggestions.length) % Math.max(1, suggestions.length))
    },
    close() {
      setQuery(null)
      setSlash(null)
    },
  }
}
