"use client"

import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import { findModel } from "./model-choice.ts"
import type { ModelListProps } from "./model-list.tsx"

const modelList = laterPart(() => import("./model-list.tsx").then((it) => it.ModelList))

/** Chooses the model from a searchable list, grouped by provider. */
export function ModelPicker(props: Omit<ModelListProps, "label">) {
  const label = findModel(props.providers, props.current)?.name ?? props.current?.modelID ?? "No model"
  return (
    <OnDemand part={modelList} face={(open) => <PickerButton name="Model" value={label} onClick={open} />}>
      {(ModelList) => <ModelList {...props} label={label} />}
    </OnDemand>
  )
}
