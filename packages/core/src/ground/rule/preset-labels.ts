import type { PermissionPreset } from "../schema/permission.ts"

export interface PresetLabel {
  name: PermissionPreset
  label: string
  /** The effect of the preset, in a sentence. */
  does: string
}

/** The presets, in the order in which a key goes through them. */
export const presets: readonly PresetLabel[] = [
  { name: "ask", label: "Ask for everything", does: "Asks before all but reading the project and its own notes." },
  { name: "edit", label: "Edit freely", does: "Changes files of the project unasked. Commands and the network ask." },
  {
    name: "plan",
    label: "Plan only",
    does: "Changes no file but plans, and runs only commands that read. The network asks.",
  },
  {
    name: "sandbox",
    label: "Trust in the sandbox",
    does: "Changes files and runs commands unasked where the sandbox holds them, and asks where it does not.",
  },
]

/** The name of a preset for people. */
export function presetLabel(preset: PermissionPreset): string {
  return presets.find(({ name }) => name === preset)?.label ?? preset
}

/** The one that follows in the order; null, the rules alone, follows the last and comes before the first. */
export function nextPreset(current: PermissionPreset | null): PermissionPreset | null {
  return presets[presets.findIndex(({ name }) => name === current) + 1]?.name ?? null
}
