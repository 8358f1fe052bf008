"use client"

import { lazy } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"

const VariantMenu = lazy(() => loadPart(() => import("./variant-menu.tsx").then((it) => ({ default: it.VariantMenu }))))

export interface VariantPickerProps {
  /** Of the chosen model, weakest first. */
  variants: string[]
  /** Null for what the agent and the model are set to. */
  current: string | null
  onPick: (variant: string | null) => void
}

/** What the picker says when nothing is chosen. */
export const noVariant = "default"

/** Chooses how hard the model thinks, where it can be chosen. */
export function VariantPicker(props: VariantPickerProps) {
  if (props.variants.length === 0) return null
  // What was chosen for another model may not be there.
  const current = props.variants.find((variant) => variant === props.current) ?? null
  const value = current ?? noVariant
  return (
    <OnDemand face={(open) => <PickerButton name="Variant" value={value} onClick={open} />}>
      <VariantMenu {...props} current={current} value={value} />
    </OnDemand>
  )
}
