"use client"

import type { ModelRef, ProviderInfo } from "@docket/core/schema"
import { Button, Combobox, useCombobox } from "@mantine/core"
import { ChevronDown } from "lucide-react"
import Link from "next/link"
import { useState } from "react"
import styles from "./composer.module.css"
import { findModel, modelGroups, modelKey, parseModelKey } from "./model-choice.ts"

/** Chooses the model, by provider, with a search. */
export function ModelPicker(props: {
  providers: ProviderInfo[]
  current: ModelRef | null
  onPick: (model: ModelRef) => void
}) {
  const [search, setSearch] = useState("")
  const combobox = useCombobox({
    onDropdownClose: () => {
      setSearch("")
      combobox.focusTarget()
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const found = findModel(props.providers, props.current)
  const label = found?.name ?? props.current?.modelID ?? "No model"
  return (
    <Combobox
      store={combobox}
      width={300}
      position="top-start"
      withinPortal
      onOptionSubmit={(key) => {
        props.onPick(parseModelKey(key))
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button">
        <Button
          variant="subtle"
          color="gray"
          className={styles.picker ?? ""}
          aria-label={`Model: ${label}`}
          rightSection={<ChevronDown size={12} aria-hidden />}
          onClick={() => combobox.toggleDropdown()}
        >
          {label}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          aria-label="Search models"
          placeholder="Search models"
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            combobox.updateSelectedOptionIndex()
          }}
        />
        <ModelOptions providers={props.providers} search={search} current={props.current} />
        <Combobox.Footer>
          <Link href="/settings">Connect a provider</Link>
        </Combobox.Footer>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function ModelOptions(props: { providers: ProviderInfo[]; search: string; current: ModelRef | null }) {
  const groups = modelGroups(props.providers, props.search)
  const current = props.current ? modelKey(props.current) : null
  return (
    <Combobox.Options mah={320} style={{ overflowY: "auto" }} aria-label="Models">
      {groups.length === 0 ? <Combobox.Empty>No model matches</Combobox.Empty> : null}
      {groups.map((group) => (
        <Combobox.Group key={group.providerID} label={group.name}>
          {group.models.map((model) => {
            const key = modelKey({ providerID: model.providerID, modelID: model.id })
            return (
              <Combobox.Option key={key} value={key} active={key === current} selected={key === current}>
                <span className={styles.choice}>{model.name}</span>
                {model.rehearsal ? (
                  <span className={styles.choiceHint}>No language model: a scripted tour of the project</span>
                ) : null}
              </Combobox.Option>
            )
          })}
        </Combobox.Group>
      ))}
    </Combobox.Options>
  )
}
