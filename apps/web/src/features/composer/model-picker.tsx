"use client"

import { lazy } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import { findModel } from "./model-choice.ts"
import type { ModelListProps } from "./model-list.tsx"

const ModelList = lazy(() => loadPart(() => import("./model-list.tsx").then((it) => ({ default: it.ModelList }))))

/** Chooses the model, by provider, with a search. */
export function ModelPicker(props: Omit<ModelListProps, "label">) {
  const label = findModel(props.providers, props.current)?.name ?? props.current?.modelID ?? "No model"
  return (
    <OnDemand face={(open) => <PickerButton name="Model" value={label} onClick={open} />}>
      <ModelList {...props} label={label} />
    </OnDemand>
  )
}
