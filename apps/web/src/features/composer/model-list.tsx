"use client"

import type { ModelRef, ProviderInfo } from "@docket/core/schema"
import { Combobox, useCombobox } from "@mantine/core"
import { useState } from "react"
import { useLayer } from "../../shell/layers-provider.tsx"
import { PageLink } from "../../shell/page-link.tsx"
import { Choice } from "../../ui/choice.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import { modelGroups, modelKey, parseModelKey } from "./model-choice.ts"
import { modelFacts } from "./model-facts.ts"

export interface ModelListProps {
  providers: ProviderInfo[]
  current: ModelRef | null
  /** Text of the button. */
  label: string
  onPick: (model: ModelRef) => void
}

export function ModelList(props: ModelListProps) {
  const [search, setSearch] = useState("")
  const combobox = useCombobox({
    defaultOpened: true,
    onDropdownClose: () => {
      setSearch("")
      combobox.focusTarget()
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  useLayer(combobox.dropdownOpened, combobox.closeDropdown, "phone")
  return (
    <Combobox
      store={combobox}
      width={300}
      position="top-start"
      onOptionSubmit={(key) => {
        props.onPick(parseModelKey(key))
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button">
        <PickerButton name="Model" value={props.label} onClick={() => combobox.toggleDropdown()} />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          autoFocus
          value={search}
          aria-label="Search models"
          placeholder="Search models"
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            combobox.updateSelectedOptionIndex()
          }}
        />
        <ModelOptions {...props} search={search} />
        <Combobox.Footer>
          <PageLink href="/settings/models">Connect a provider</PageLink>
        </Combobox.Footer>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function ModelOptions(props: ModelListProps & { search: string }) {
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
              <Combobox.Option key={key} value={key} active={key === current}>
                <Choice
                  name={model.name}
                  hint={model.rehearsal ? "No language model: a scripted tour of the project" : modelFacts(model)}
                />
              </Combobox.Option>
            )
          })}
        </Combobox.Group>
      ))}
    </Combobox.Options>
  )
}
