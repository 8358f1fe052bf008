"use client"

import type { Agent, Project, PromptPart } from "@docket/core/schema"
import { type SyntheticEvent, useRef } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import type { Command } from "../../shell/commands.tsx"
import { attachmentParts } from "./attachment.ts"
import type { ComposerAction } from "./composer-keys.ts"
import { delegates } from "./delegates.ts"
import { insertMention, insertWord, toPromptParts } from "./mention.ts"
import { primaryAgents } from "./primary-agents.ts"
import type { SlashCommand } from "./slash.ts"
import { useAttachments } from "./use-attachments.ts"
import { useAutosize } from "./use-autosize.ts"
import { type Suggestion, useCompletion } from "./use-completion.ts"
import { useKeyActions } from "./use-key-actions.ts"
import { usePromptHistory } from "./use-prompt-history.ts"
import { type Restoring, usePromptText } from "./use-prompt-text.ts"
import { usePutInText } from "./use-put-in-text.ts"
import { commandParts, useSlash } from "./use-slash.ts"
import { useSubmit } from "./use-submit.ts"

export interface ComposerInput {
  /** The key under which the text is kept while another page is shown. */
  draftKey: string
  /** The session whose earlier prompts the arrow keys show; null for a session that does not exist yet. */
  sessionID: string | null
  project: Project
  agents: Agent[]
  /** The answering agent. */
  agent: string
  /** The page is connected to the server. */
  connected: boolean
  /** Something in the session's tree is working and can be stopped. */
  busy: boolean
  /** The session itself is working, so that a new prompt is queued. */
  queues: boolean
  /** Rejects with an error for the user; the text then stays in the field. */
  onSend: (parts: PromptPart[]) => Promise<unknown>
  /** Commands with a name for `/` run in the page instead of being sent. */
  commands?: readonly Command[]
  /** A prompt that is restored after an undo. */
  restoring?: Restoring
  onStop: () => void
  onAgent: (name: string) => void
}

/** The agent that the Tab key switches to; null when there is no other. */
function agentAfter(agents: Agent[], current: string): string | null {
  const names = primaryAgents(agents).map((agent) => agent.name)
  const next = names[(names.indexOf(current) + 1) % names.length]
  return next === undefined || next === current ? null : next
}

/** Text, completion, history and keys of the prompt field. */
export function useComposer(input: ComposerInput) {
  const { project, agents, busy, queues } = input
  const announce = useAnnounce()
  const prompt = usePromptText(input.draftKey, input.restoring)
  // The agents that the chosen agent may delegate to: they can be mentioned with `@`.
  const startable = delegates(agents, input.agent)
  const history = usePromptHistory(input.sessionID)
  const submit = useSubmit(input.onSend, input.connected)
  const slash = useSlash(input, prompt.text, submit.fail)
  const completion = useCompletion(project.id, startable, slash.names)
  const attached = useAttachments({
    draftKey: input.draftKey,
    restored: input.restoring?.restored ?? null,
    onProblem: (words) => (words === null ? submit.clearProblem() : submit.refuse(words)),
  })
  useAutosize(prompt.field, prompt.text)

  const carryOut = (command: SlashCommand) => {
    if (command.unavailable !== undefined) {
      completion.close()
      submit.refuse(`Not now: ${command.unavailable}.`)
      return
    }
    prompt.clear()
    completion.close()
    return command.run()
  }

  const isSending = useRef(false)
  /** A second Enter, while pictures are still read for the first, sends nothing. */
  const send = async (): Promise<void> => {
    if (isSending.current) return
    isSending.current = true
    try {
      await sendNow()
    } finally {
      isSending.current = false
    }
  }

  const sendNow = async (): Promise<void> => {
    const { text } = prompt
    const taken = await attached.settled()
    if (taken === null) return
    const files = attachmentParts(taken)
    const isEmpty = text.trim() === "" && files.length === 0
    if (isEmpty || submit.sending) return
    const meaning = await slash.meaningNow(text)
    if (meaning === "unknown") return
    if (meaning?.kind === "page") {
      await carryOut(meaning.command)
      return
    }
    if (meaning?.kind === "refused") return submit.refuse(meaning.words)
    const agentNames = startable.map((agent) => agent.name)
    const mentioned = toPromptParts(text, {
      picked: prompt.picked.current,
      agents: agentNames,
      directory: project.directory,
    })
    const parts = meaning === null ? mentioned : commandParts(meaning, mentioned)
    if (!(await submit.send(text, [...parts, ...files]))) return
    attached.clear()
    history.leave()
    prompt.clear()
    announce(queues ? "Queued" : "Sent")
  }

  /**
   * A page command runs. A prompt command is inserted into the field, or sent if it is already typed and needs no
   * arguments.
   */
  const pickCommand = (name: string) => {
    const pageCommand = slash.names.page.find((command) => command.slash === name)
    if (pageCommand) return void carryOut(pageCommand)
    const promptCommand = slash.names.prompt.find((command) => command.name === name)
    completion.close()
    // By convention, arguments in angle brackets are required.
    const needsArguments = promptCommand?.hint?.startsWith("<")
    if (completion.slash === name && !needsArguments) return void send()
    prompt.write(`/${name} `, name.length + 2)
    prompt.field.current?.focus()
  }

  /** What an extension proposes: the list stays open while more may follow. */
  const pickWord = ({ value, place }: Suggestion) => {
    const field = prompt.field.current
    if (!place || !field) return
    const { from, isWhole } = place
    const next = insertWord(prompt.text, { from, caret: field.selectionStart }, { value, isWhole })
    prompt.write(next.text, next.caret)
    if (isWhole && completion.query) completion.close()
    else completion.follow(next.text, next.caret)
    field.focus()
  }

  const pick = (suggestion: Suggestion) => {
    const field = prompt.field.current
    const { kind, value } = suggestion
    if (kind === "command") return pickCommand(value)
    if (kind === "resource" || kind === "value") return pickWord(suggestion)
    if (!completion.query || !field) return
    const next = insertMention(prompt.text, completion.query, field.selectionStart, value)
    prompt.picked.current.push({ kind, value })
    prompt.write(next.text, next.caret)
    completion.close()
    field.focus()
  }

  const browse = async (direction: 1 | -1) => {
    const text = await history.step(direction, prompt.text)
    if (text !== null) prompt.write(text, direction === 1 ? 0 : text.length)
  }

  const switchAgent = () => {
    const next = agentAfter(agents, input.agent)
    if (next === null) return
    input.onAgent(next)
    announce(`Agent: ${next}`)
  }

  const act: Record<NonNullable<ComposerAction>, () => unknown> = {
    send,
    older: () => browse(1),
    newer: () => browse(-1),
    "switch-agent": switchAgent,
    stop: input.onStop,
    // A first Esc only prepares: `useKeyActions` remembers it, then Tab leaves the field and a second Esc stops.
    arm: () => {},
    pick: () => {
      const suggestion = completion.suggestions[Math.max(0, completion.active)]
      if (suggestion) pick(suggestion)
    },
    "next-option": () => completion.move(1),
    "previous-option": () => completion.move(-1),
    "close-list": completion.close,
  }

  const onKeyDown = useKeyActions(act, () => ({
    listOpen: completion.open,
    choosing: completion.active >= 0,
    browsing: history.browsing(),
    busy,
  }))

  return {
    prompt,
    completion,
    /** The command whose arguments are being typed. */
    inUse: slash.inUse,
    submit,
    attached,
    putInText: usePutInText(prompt, attached),
    send,
    pick,
    field: {
      onKeyDown,
      onPaste: attached.onPaste,
      onChange(event: SyntheticEvent<HTMLTextAreaElement>) {
        const { value, selectionStart } = event.currentTarget
        history.leave()
        submit.clearProblem()
        prompt.write(value)
        completion.follow(value, selectionStart)
      },
      onSelect(event: SyntheticEvent<HTMLTextAreaElement>) {
        completion.follow(event.currentTarget.value, event.currentTarget.selectionStart)
      },
      onBlur: completion.close,
    },
  }
}
