"use client"

import { useTRPC } from "@docket/client/react"
import type { Agent } from "@docket/core/schema"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Mention, type MentionQuery, mentionAt } from "./mention.ts"
import { argumentsAt, type SlashNames, slashAt } from "./slash.ts"
import { slashEntries } from "./slash-entries.ts"
import { stillFits } from "./still-fits.ts"

/** Maximum number of suggestions. */
const limit = 8

export interface Suggestion {
  kind: Mention["kind"] | "command" | "resource" | "value"
  value: string
  hint: string
  /** The arguments to type after a command. */
  usage?: string
  /** The command's owner, unless it is built in. */
  origin?: string
  /** The command is not available now; the hint says why. */
  unavailable?: boolean
  /** For what an extension proposes: where in the field it begins, and whether nothing belongs to it any more. */
  place?: { from: number; isWhole: boolean }
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

/** ms without a letter after which extensions are asked. */
const pauseMs = 150

/** What extensions propose for a text that begins at `start` of the field. A request for an earlier text is cancelled. */
function useProposed(projectID: string, typed: string | null, start: number): Suggestion[] {
  const trpc = useTRPC()
  const [asked] = useDebouncedValue(typed, pauseMs)
  const { data = null } = useQuery({
    ...trpc.extension.complete.queryOptions({ projectID, text: asked ?? "" }, { trpc: { abortOnUnmount: true } }),
    enabled: typed !== null && asked !== null,
    retry: false,
    staleTime: 5_000,
  })
  if (data === null || typed === null || asked === null) return []
  const { from, options } = data
  // Letters typed since then may have begun another word.
  if (typed.slice(0, from) !== asked.slice(0, from)) return []
  const isOfEarlier = asked !== typed
  return options
    .filter(({ text }) => text !== typed.slice(from) && (!isOfEarlier || stillFits(text, typed.slice(from))))
    .map(({ text, hint, isWhole }) => ({
      kind: typed.startsWith("@") ? "resource" : "value",
      ...{ value: text, hint, place: { from: start + from, isWhole } },
    }))
}

/**
 * Suggestions for the word at the caret: after `@` the agents, then resources of servers and files of the project; after `/`
 * at the start of the prompt the commands, and then values of their arguments.
 */
export function useCompletion(projectID: string, agents: Agent[], names: SlashNames) {
  const trpc = useTRPC()
  const [query, setQuery] = useState<MentionQuery | null>(null)
  const [slash, setSlash] = useState<string | null>(null)
  const [typed, setTyped] = useState({ text: "", caret: 0 })
  const [chosen, setChosen] = useState<number | null>(null)
  // The commands may be loaded after they were typed.
  const values = argumentsAt(names, typed.text, typed.caret)
  const [searched] = useDebouncedValue(query?.text ?? "", 80)
  const files = useQuery({
    ...trpc.project.files.queryOptions({ projectID, query: searched, limit }),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  const areFilesOfEarlier = files.isPlaceholderData || searched !== query?.text
  const foundFiles = (files.data ?? []).filter((file) => !areFilesOfEarlier || stillFits(file, query?.text ?? ""))
  const proposed = useProposed(projectID, query === null ? values : `@${query.text}`, query?.start ?? 0)
  const suggestions: Suggestion[] = query
    ? [
        ...matchingAgents(agents, query.text),
        ...proposed,
        ...foundFiles.map((value): Suggestion => ({ kind: "file", value, hint: "" })),
      ].slice(0, limit)
    : slash === null
      ? proposed
      : commandSuggestions(names, slash)

  // Enter sends a command whose arguments are typed, unless a value is chosen.
  const active = chosen ?? (query === null && values !== null ? -1 : 0)

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
      if (text !== typed.text || caret !== typed.caret) setChosen(null)
      setQuery(next)
      setSlash(nextSlash)
      setTyped({ text, caret })
    },
    move(by: 1 | -1) {
      const count = Math.max(1, suggestions.length)
      setChosen(active < 0 && by < 0 ? count - 1 : (active + by + count) % count)
    },
    close() {
      setQuery(null)
      setSlash(null)
      setTyped({ text: "", caret: 0 })
    },
  }
}
