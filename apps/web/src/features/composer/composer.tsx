"use client"

import type { ChosenPreset, ModelRef, PermissionPreset, ProviderInfo, Turn } from "@docket/core/schema"
import { ArrowUp, Paperclip, Square } from "lucide-react"
import Link from "next/link"
import { type ReactNode, useId, useRef, useState } from "react"
import { Can } from "../../shell/me.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { isTyping } from "../../ui/is-typing.ts"
import { AgentPicker } from "./agent-picker.tsx"
import { AttachmentChips } from "./attachment-chips.tsx"
import { CompletionList, optionID } from "./completion-list.tsx"
import styles from "./composer.module.css"
import { findModel } from "./model-choice.ts"
import { ModelPicker } from "./model-picker.tsx"
import { PresetPicker } from "./preset-picker.tsx"
import { QueuedPrompts } from "./queued-prompts.tsx"
import { problemMessage } from "./send-problem.ts"
import { type ComposerInput, useComposer } from "./use-composer.ts"
import { VariantPicker } from "./variant-picker.tsx"

export interface ComposerProps extends ComposerInput {
  providers: ProviderInfo[]
  /** The session's model, or the default model of a new session. */
  model: ModelRef | null
  onModel: (model: ModelRef) => void
  /** The variant chosen for the session's model; null for none. */
  variant: string | null
  onVariant: (variant: string | null) => void
  /** The permission preset: what agents may do without asking. Null: only the rules decide. */
  preset: PermissionPreset | null
  /** Who chose the preset for the session, and when. */
  chosenPreset?: ChosenPreset | null
  onPreset: (preset: PermissionPreset | null) => unknown
  /** Prompts of this session that are queued. */
  queued: Turn[]
  /** Queued prompts that were withdrawn while the page was open. */
  takenBack: readonly Turn[]
  /** Called when the user withdraws a queued prompt. */
  onWithdraw: (turn: Turn) => void
  placeholder: string
  /** Shown before the pickers. */
  lead?: ReactNode
  /** Shown after the pickers. */
  rest?: ReactNode
  /** The page already shows that no language model is connected. */
  modelTold?: boolean
  autoFocus?: boolean
}

/** The prompt field with its pickers and attachments. Mount one per session (`key`). */
export function Composer(props: ComposerProps) {
  const { prompt, completion, inUse, submit, attached, putInText, send, pick, field } = useComposer(props)
  const planning = props.agent === "plan"
  // The field may mount late: it must not take focus from a field in which the user types.
  const [focuses] = useState(
    () => props.autoFocus === true && typeof document !== "undefined" && !isTyping(document.activeElement),
  )
  const listID = useId()
  const helpID = useId()
  const usageID = useId()
  return (
    <div className={styles.composer}>
      <QueuedPrompts turns={props.queued} takenBack={props.takenBack} onWithdraw={props.onWithdraw} />
      {submit.problem ? (
        <p
          role={submit.problem.kind === "back" ? "status" : "alert"}
          className={styles.problem}
          data-calm={submit.problem.kind === "back"}
        >
          {problemMessage(submit.problem)}
        </p>
      ) : null}
      <div className={styles.box} data-dropping={attached.dropping} data-planning={planning} {...attached.drop}>
        {completion.open ? (
          <CompletionList id={listID} suggestions={completion.suggestions} active={completion.active} onPick={pick} />
        ) : inUse?.hint ? (
          <p id={usageID} className={styles.usage}>
            <b>/{inUse.name}</b> {inUse.hint}
          </p>
        ) : null}
        <AttachmentChips attachments={attached.attachments} onRemove={attached.remove} onPutInText={putInText} />
        <textarea
          ref={prompt.field}
          {...field}
          data-composer
          className={styles.input}
          rows={1}
          value={prompt.text}
          readOnly={submit.sending}
          placeholder={props.placeholder}
          // biome-ignore lint/a11y/noAutofocus: only on pages whose purpose is the prompt
          autoFocus={focuses}
          aria-label="Prompt"
          aria-describedby={inUse?.hint && !completion.open ? `${usageID} ${helpID}` : helpID}
          aria-autocomplete="list"
          aria-controls={completion.open ? listID : undefined}
          aria-activedescendant={
            completion.open && completion.active >= 0 ? optionID(listID, completion.active) : undefined
          }
        />
        <span id={helpID} className="visually-hidden">
          Enter sends, Shift Enter makes a new line, @ mentions an agent, a file or a resource of a server, / lists the
          commands, Tab switches the agent. Files can be pasted. Press Escape before Tab to leave the field.
        </span>
        <div className={styles.bar}>
          {props.lead}
          {planning ? (
            <span className={styles.mode} title="Nothing is changed before you approve a plan">
              Plan mode
            </span>
          ) : null}
          <AgentPicker agents={props.agents} current={props.agent} onPick={props.onAgent} />
          <ModelPicker providers={props.providers} current={props.model} onPick={props.onModel} />
          <VariantPicker
            variants={findModel(props.providers, props.model)?.variants ?? []}
            current={props.variant}
            onPick={props.onVariant}
          />
          <PresetPicker current={props.preset} chosen={props.chosenPreset ?? null} onPick={props.onPreset} />
          {props.rest}
          <span className={styles.spacer} />
          <AttachButton onFiles={(files) => void attached.add(files)} />
          <SendButtons
            busy={props.busy}
            queues={props.queues}
            empty={prompt.text.trim() === "" && attached.attachments.length === 0}
            sending={submit.sending}
            onStop={props.onStop}
            onSend={send}
          />
        </div>
      </div>
      {props.modelTold ? null : <ModelNote providers={props.providers} model={props.model} />}
    </div>
  )
}

function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label="Attach files" onClick={() => input.current?.click()}>
        <Paperclip size={15} />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          // Reset, so that the same file can be chosen again.
          event.currentTarget.value = ""
        }}
      />
    </>
  )
}

function SendButtons(props: {
  busy: boolean
  queues: boolean
  empty: boolean
  sending: boolean
  onStop: () => void
  onSend: () => Promise<void>
}) {
  return (
    <>
      {props.busy ? (
        <IconButton label="Stop" variant="default" onClick={props.onStop}>
          <Square size={12} fill="currentColor" />
        </IconButton>
      ) : null}
      {props.busy && props.empty ? null : (
        <IconButton
          label={props.queues ? "Queue" : "Send"}
          variant="filled"
          color="indigo"
          disabled={props.empty}
          loading={props.sending}
          onClick={props.onSend}
        >
          <ArrowUp size={16} />
        </IconButton>
      )}
    </>
  )
}

function ModelNote({ providers, model }: { providers: ProviderInfo[]; model: ModelRef | null }) {
  if (providers.length === 0) return null
  const connected = providers.filter((provider) => provider.connected)
  const found = findModel(connected, model)
  if (found && !found.rehearsal) return null
  return (
    <p className={styles.foot}>
      {found ? "Rehearsal: no language model connected." : "The chosen model is not available any more."}{" "}
      <Can do="providers.manage">
        <Link href="/settings/models">Connect one in Settings</Link>
      </Can>
    </p>
  )
}
