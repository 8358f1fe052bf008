"use client"

import { useTRPC } from "@docket/client/react"
import type { AgentForm } from "@docket/core/schema"
import { NumberInput, Textarea, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { CheckedLine } from "../../../../ui/checked-line.tsx"
import { ChoiceField } from "../../../../ui/choice-field.tsx"
import entries from "../../../../ui/entries.module.css"
import { modeChoices, rightsChoices } from "./agent-labels.ts"
import styles from "./agents.module.css"

interface AgentFieldsProps {
  projectID: string
  form: AgentForm
  onChange(form: AgentForm): void
}

/** The usual settings of an agent. Everything else in its file is kept. */
export function AgentFields({ projectID, form, onChange }: AgentFieldsProps) {
  const set = (change: Partial<AgentForm>) => onChange({ ...form, ...change })
  return (
    <>
      <TextInput
        label="What it is for"
        description="Other agents choose by this."
        value={form.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <div className={entries.pair}>
        <ChoiceField
          label="Work comes from"
          value={form.mode}
          choices={modeChoices}
          onChange={(mode) => set({ mode: modeChoices.find(({ value }) => value === mode)?.value ?? "all" })}
        />
        <ChoiceField
          label="It may do"
          value={form.rights}
          choices={rightsChoices.filter(({ value }) => value !== "written" || form.rights === "written")}
          onChange={(rights) => set({ rights: rightsChoices.find(({ value }) => value === rights)?.value ?? "rules" })}
        />
        <ModelField projectID={projectID} form={form} onChange={(model) => set({ model })} />
      </div>
      <Textarea
        label="How it works"
        description="The agent reads this at the beginning of each session."
        autosize
        minRows={5}
        maxRows={24}
        value={form.prompt}
        onChange={(event) => set({ prompt: event.currentTarget.value })}
      />
      <More form={form} set={set} />
    </>
  )
}

function ModelField({
  projectID,
  form,
  onChange,
}: {
  projectID: string
  form: AgentForm
  onChange(model: string | null): void
}) {
  const trpc = useTRPC()
  const providers = useQuery(trpc.provider.list.queryOptions({ projectID }))
  const names = (providers.data ?? []).flatMap(({ models }) =>
    models.map(({ providerID, id }) => `${providerID}/${id}`),
  )
  // A model that is set, but not listed, stays a choice.
  const known = form.model === null || names.includes(form.model) ? names : [form.model, ...names]
  return (
    <ChoiceField
      label="Model"
      value={form.model ?? ""}
      choices={[{ value: "", label: "The session’s" }, ...known.map((value) => ({ value, label: value }))]}
      onChange={(model) => onChange(model === "" ? null : model)}
    />
  )
}

function More({ form, set }: { form: AgentForm; set(change: Partial<AgentForm>): void }) {
  const number = (value: string | number) => (typeof value === "number" ? value : null)
  return (
    <details className={styles.more}>
      <summary>More settings</summary>
      <div className={entries.pair}>
        <NumberInput
          label="Most steps in one turn"
          min={1}
          max={10_000}
          allowDecimal={false}
          value={form.steps ?? ""}
          onChange={(steps) => set({ steps: number(steps) })}
        />
        <NumberInput
          label="Temperature"
          min={0}
          max={2}
          step={0.1}
          value={form.temperature ?? ""}
          onChange={(temperature) => set({ temperature: number(temperature) })}
        />
        <NumberInput
          label="Top p"
          min={0}
          max={1}
          step={0.05}
          value={form.topP ?? ""}
          onChange={(topP) => set({ topP: number(topP) })}
        />
        <TextInput
          label="Variant of the model"
          value={form.variant ?? ""}
          onChange={(event) => set({ variant: event.currentTarget.value || null })}
        />
        <TextInput
          label="Colour"
          placeholder="#4f6bed"
          value={form.color ?? ""}
          onChange={(event) => set({ color: event.currentTarget.value || null })}
        />
      </div>
      <div className={styles.checks}>
        <CheckedLine
          label="Hidden: not offered to people or agents"
          checked={form.hidden}
          onChange={(hidden) => set({ hidden })}
        />
        <CheckedLine label="Switched off" checked={form.disable} onChange={(disable) => set({ disable })} />
      </div>
    </details>
  )
}
