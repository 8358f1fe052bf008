import { presetLabel } from "@docket/core/rule"
import type { PermissionPreset } from "@docket/core/schema"

/** The label of a preset; "By the rules" for none. */
export function presetName(preset: PermissionPreset | null): string {
  return preset === null ? "By the rules" : presetLabel(preset)
}
