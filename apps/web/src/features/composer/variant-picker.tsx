"use client"

import { lazy } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import type { VariantMenuProps } from "./variant-menu.tsx"
import { variantName } from "./variant-name.ts"

const VariantMenu = lazy(() => loadPart(() => import("./variant-menu.tsx").then((it) => ({ default: it.VariantMenu }))))

/** Chooses how hard the model thinks, where it can be chosen. */
export function VariantPicker(props: VariantMenuProps) {
  if (props.variants.length === 0) return null
  // What was chosen for another model may not be there.
  const current = props.variants.find((variant) => variant === props.current) ?? null
  return (
    <OnDemand face={(open) => <PickerButton name="Variant" value={variantName(current)} onClick={open} />}>
      <VariantMenu {...props} current={current} />
    </OnDemand>
  )
}
