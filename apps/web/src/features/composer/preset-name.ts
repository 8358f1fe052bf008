import { presetLabel } from "@docket/core/rule"
import type { PermissionPreset } from "@docket/core/schema"

/** What a preset is called; without one the rules alone decide. */
export function presetName(preset: PermissionPreset | null): string {
  return preset === null ? "By the rules" : presetLabel(preset)
}
