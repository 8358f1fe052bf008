"use client"

import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import type { VariantMenuProps } from "./variant-menu.tsx"
import { variantName } from "./variant-name.ts"

const variantMenu = laterPart(() => import("./variant-menu.tsx").then((it) => it.VariantMenu))

/** Chooses how hard the model thinks, where it can be chosen. */
export function VariantPicker(props: VariantMenuProps) {
  if (props.variants.length === 0) return null
  // What was chosen for another model may not be there.
  const current = props.variants.find((variant) => variant === props.current) ?? null
  return (
    <OnDemand
      part={variantMenu}
      face={(open) => <PickerButton name="Variant" value={variantName(current)} onClick={open} />}
    >
      {(VariantMenu) => <VariantMenu {...props} current={current} />}
    </OnDemand>
  )
}
