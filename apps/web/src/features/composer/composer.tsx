"use client"

import type { Agent, ModelRef, Project, ProviderInfo, Session, Turn } from "@docket/core/schema"
import { ArrowUp, Square } from "lucide-react"
import Link from "next/link"
import { type KeyboardEvent, useId, useRef } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { AgentPicker, primaryAgents } from "./agent-picker.tsx"
import { CompletionList, optionID } from "./completion-list.tsx"
import styles from "./composer.module.css"
import { type ComposerAction, composerAction } from "./composer-keys.ts"
import { insertMention, toPromptParts } from "./mention.ts"
import { findModel } from "./model-choice.ts"
import { ModelPicker } from "./model-picker.tsx"
import { QueuedPrompts } from "./queued-prompts.tsx"
import { useAutosize } from "./use-autosize.ts"
import { type Suggestion, useCompletion } from "./use-completion.ts"
import { usePromptHistory } from "./use-prompt-history.ts"
import { usePromptText } from "./use-prompt-text.ts"
import { useSubmit } from "./use-submit.ts"

export interface ComposerProps {
  session: Session
  project: Project
  agents: Agent[]
  providers: ProviderInfo[]
  /** What runs: the session's model, or the one it would get. */
  model: ModelRef | null
  busy: boolean
  /** Prompts of this session that wait. */
  queued: Turn[]
  onStop: () => void
  onAgent: (name: string) => void
  onModel: (model: ModelRef) => void
}

/** The prompt field with everything that belongs to asking. Mount one per session (`key`). */
export function Composer(props: ComposerProps) {
  const { session, project, agents, busy } = props
  const listID = useId()
  const helpID = useId()
  const announce = useAnnounce()
  const prompt = usePromptText(session.id)
  const completion = useCompletion(project.id, agents)
  const history = usePromptHistory(session.id)
  const submit = useSubmit(session.id)
  const armed = useRef(false)
  useAutosize(prompt.field, prompt.text)

  const send = async () => {
    const text = prompt.text
    if (text.trim() === "" || submit.sending) return
    const names = agents.filter((agent) => agent.mode !== "primary" && !agent.hidden).map((agent) => agent.name)
    const parts = toPromptParts(text, { picked: prompt.picked.current, agents: names, directory: project.directory })
    if (!(await submit.send(text, parts))) return
    history.leave()
    prompt.clear()
    announce(busy ? "Queued" : "Sent")
  }

  const pick = (suggestion: Suggestion) => {
    const field = prompt.field.current
    if (!completion.query || !field) return
    const next = insertMention(prompt.text, completion.query, field.selectionStart, suggestion.value)
    prompt.picked.current.push({ kind: suggestion.kind, value: suggestion.value })
    prompt.write(next.text, next.caret)
    completion.close()
    field.focus()
  }

  const browse = async (direction: 1 | -1) => {
    const text = await history.step(direction, prompt.text)
    if (text !== null) prompt.write(text, direction === 1 ? 0 : text.length)
  }

  const switchAgent = () => {
    const names = primaryAgents(agents).map((agent) => agent.name)
    const next = names[(names.indexOf(session.agent) + 1) % names.length]
    if (!next || next === session.agent) return
    props.onAgent(next)
    announce(`Agent: ${next}`)
  }

  const act: Record<NonNullable<ComposerAction>, () => void> = {
    send,
    older: () => browse(1),
    newer: () => browse(-1),
    "switch-agent": switchAgent,
    stop: props.onStop,
    arm: () => {},
    pick: () => {
      const suggestion = completion.suggestions[completion.active]
      if (suggestion) pick(suggestion)
    },
    "next-option": () => completion.move(1),
    "previous-option": () => completion.move(-1),
    "close-list": completion.close,
  }

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { selectionStart, selectionEnd, value } = event.currentTarget
    const action = composerAction({
      key: event.key,
      shift: event.shiftKey,
      modifier: event.ctrlKey || event.metaKey || event.altKey,
      composing: event.nativeEvent.isComposing,
      touch: matchMedia("(pointer: coarse)").matches,
      listOpen: completion.open,
      around:
        selectionStart === selectionEnd
          ? { before: value.slice(0, selectionStart), after: value.slice(selectionEnd) }
          : null,
      browsing: history.browsing(),
      armed: armed.current,
      busy,
    })
    armed.current = action === "arm"
    if (!action) return
    if (action !== "arm") event.preventDefault()
    act[action]()
  }

  return (
    <div className={styles.composer}>
      <QueuedPrompts
        turns={props.queued}
        onWithdraw={(text) => prompt.write(prompt.text === "" ? text : `${text}\n${prompt.text}`)}
      />
      {submit.problem ? (
        <p role="alert" className={styles.problem}>
          {submit.problem}
        </p>
      ) : null}
      <div className={styles.box}>
        {completion.open ? (
          <CompletionList id={listID} suggestions={completion.suggestions} active={completion.active} onPick={pick} />
        ) : null}
        <textarea
          ref={prompt.field}
          data-composer
          className={styles.input}
          rows={1}
          value={prompt.text}
          readOnly={submit.sending}
          placeholder={busy ? "Queue the next prompt" : `Ask ${session.agent}`}
          aria-label="Prompt"
          aria-describedby={helpID}
          aria-autocomplete="list"
          aria-controls={completion.open ? listID : undefined}
          aria-activedescendant={completion.open ? optionID(listID, completion.active) : undefined}
          onChange={(event) => {
            history.leave()
            submit.clearProblem()
            prompt.write(event.currentTarget.value)
            completion.follow(event.currentTarget.value, event.currentTarget.selectionStart)
          }}
          onSelect={(event) => completion.follow(event.currentTarget.value, event.currentTarget.selectionStart)}
          onBlur={completion.close}
          onKeyDown={onKeyDown}
        />
        <span id={helpID} className="visually-hidden">
          Enter sends, Shift Enter makes a new line, @ mentions an agent or a file, Tab switches the agent. Press Escape
          before Tab to leave the field.
        </span>
        <div className={styles.bar}>
          <AgentPicker agents={agents} current={session.agent} onPick={props.onAgent} />
          <ModelPicker providers={props.providers} current={props.model} onPick={props.onModel} />
          <span className={styles.spacer} />
          {busy ? (
            <IconButton label="Stop" variant="default" onClick={props.onStop}>
              <Square size={12} fill="currentColor" />
            </IconButton>
          ) : null}
          {busy && prompt.text.trim() === "" ? null : (
            <IconButton
              label={busy ? "Queue" : "Send"}
              variant="filled"
              color="indigo"
              disabled={prompt.text.trim() === ""}
              loading={submit.sending}
              onClick={send}
            >
              <ArrowUp size={16} />
            </IconButton>
          )}
        </div>
      </div>
      <ModelNote providers={props.providers} model={props.model} />
    </div>
  )
}

function ModelNote({ providers, model }: { providers: ProviderInfo[]; model: ModelRef | null }) {
  if (providers.length === 0) return null
  const found = findModel(providers, model)
  if (found && !found.rehearsal) return null
  return (
    <p className={styles.foot}>
      {found ? "Rehearsal: no language model connected." : "The chosen model is not available any more."}{" "}
      <Link href="/settings">Connect one in Settings</Link>
    </p>
  )
}
