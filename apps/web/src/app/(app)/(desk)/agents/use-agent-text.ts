"use client"

import { docketCode } from "@docket/client"
import { useTRPC } from "@docket/client/react"
import type { AgentDraft, AgentFileOwner, AgentSource } from "@docket/core"
import type { AgentForm, Project } from "@docket/core/schema"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"

/** An existing agent file to change. */
export interface EditedAgent {
  name: string
  source: AgentSource
}

/** The version on disk that conflicts with the edit; a null text means that the file was deleted. */
export interface Conflict {
  text: string | null
  hash: string | null
}

/** What the user chose for the file of a new agent. */
export interface NewAgent {
  name: string
  owner: AgentFileOwner
  /** Whether it may take the place of an agent that already has this name. */
  replaces: boolean
}

export interface AgentText {
  /** The current view: settings in a form, or the whole text. Null while loading. */
  view: "form" | "text" | null
  form: AgentForm | null
  text: string
  /** Problems in the text, as of the last check. */
  problems: AgentDraft["problems"]
  conflict: Conflict | null
  failure: string | null
  busy: boolean
  setForm(form: AgentForm): void
  setText(text: string): void
  /** Shows the other view with the current edits. */
  show(view: "form" | "text"): Promise<void>
  /**
   * Resolves with `counts`, whether the agent is in force, or with null when nothing was saved. `newAgent` is null for
   * an existing file.
   */
  save(newAgent: NewAgent | null): Promise<{ counts: boolean } | null>
  /** Saves over the version on disk. */
  overwrite(): Promise<{ counts: boolean } | null>
  /** Continues with the version on disk. */
  takeTheirs(): void
}

/** The text of an agent's file during an edit, and conflicts with changes on disk. */
export function useAgentText(project: Project, edited: EditedAgent | null, name: string): AgentText {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const fileInput = { projectID: project.id, file: edited?.source.file ?? "" }
  const loaded = useQuery({
    ...trpc.agent.file.queryOptions(fileInput),
    enabled: edited !== null,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const drafting = useMutation(trpc.agent.draft.mutationOptions())
  const creating = useMutation(trpc.agent.create.mutationOptions())
  const updating = useMutation(trpc.agent.update.mutationOptions())
  const [draft, setDraft] = useState<AgentDraft>({ text: "", form: null, problems: [] })
  const [view, setView] = useState<AgentText["view"]>(null)
  /** Hash of the file's version that the edit began with; null for a new file. */
  const [baseHash, setBaseHash] = useState<string | null>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const origin = edited?.source.origin ?? "docket"

  /** Parses the text and, when a form is given, writes its settings into the text. */
  const read = (text: string, form?: AgentForm) => drafting.mutateAsync({ name: name || "agent", origin, text, form })
  const begin = async (text: string, hash: string | null) => {
    const begun = await drafting.mutateAsync({ name: name || "agent", origin, text })
    setDraft(begun)
    setBaseHash(hash)
    setView(begun.form === null ? "text" : "form")
  }
  const first = edited === null ? { text: "", hash: null } : loaded.data
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with the loaded text
  useEffect(() => {
    if (first !== undefined && view === null) begin(first.text, first.hash).catch(() => {})
  }, [first?.text])

  const textNow = async () =>
    view === "form" && draft.form !== null ? (await read(draft.text, draft.form)).text : draft.text
  const write = async (text: string, hash: string | null, newAgent: NewAgent | null) => {
    try {
      const owner = edited?.source.owner ?? "project"
      const saved =
        hash === null
          ? await creating.mutateAsync({
              projectID: project.id,
              text,
              ...(newAgent ?? { name, owner, replaces: true }),
            })
          : await updating.mutateAsync({ ...fileInput, hash, text })
      void queries.invalidateQueries(trpc.agent.pathFilter())
      return saved
    } catch (error) {
      if (edited === null || docketCode(error) !== "config_changed") return null
      setDraft({ ...draft, text })
      setConflict(await onDisk())
      return null
    }
  }
  const onDisk = async (): Promise<Conflict> => {
    try {
      return await queries.fetchQuery({ ...trpc.agent.file.queryOptions(fileInput), staleTime: 0 })
    } catch (error) {
      if (docketCode(error) === "agent_not_found") return { text: null, hash: null }
      throw error
    }
  }
  const writeError = edited === null ? creating.error : updating.error
  return {
    view,
    form: draft.form,
    text: draft.text,
    problems: draft.problems,
    conflict,
    failure: (loaded.error ?? drafting.error ?? (conflict === null ? writeError : null))?.message ?? null,
    busy: drafting.isPending || creating.isPending || updating.isPending,
    setForm: (form) => setDraft({ ...draft, form }),
    setText: (text) => setDraft({ ...draft, text }),
    async show(nextView) {
      const editedForm = view === "form" ? (draft.form ?? undefined) : undefined
      const next = await read(draft.text, editedForm)
      setDraft(next)
      setView(next.form === null ? "text" : nextView)
    },
    save: async (newAgent) => write(await textNow(), baseHash, newAgent),
    overwrite: async () => {
      const saved = await write(draft.text, conflict?.hash ?? null, null)
      if (saved !== null) setConflict(null)
      return saved
    },
    takeTheirs() {
      if (conflict === null || conflict.text === null) return
      setConflict(null)
      setView(null)
      begin(conflict.text, conflict.hash).catch(() => {})
    },
  }
}
