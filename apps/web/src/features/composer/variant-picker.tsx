"use client"

import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import type { VariantMenuProps } from "./variant-menu.tsx"
import { variantName } from "./variant-name.ts"

const variantMenu = laterPart(() => import("./variant-menu.tsx").then((it) => it.VariantMenu))

/** Chooses the model's variant, i.e. how long it reasons. Hidden for models without variants. */
export function VariantPicker(props: VariantMenuProps) {
  if (props.variants.length === 0) return null
  // A variant chosen for another model may not exist here.
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
