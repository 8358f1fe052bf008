import { basename } from "node:path"
import { DocketError } from "@docket/core/error"
import type { ExtensionPlace } from "@docket/core/extension-host"
import { parsePackageSpec } from "@docket/core/package-spec"
import type { PluginEntry } from "./plugin-entries.ts"
import type { PluginSet } from "./plugin-set.ts"

/** The plugins without which no turn begins: what one file requires, no other takes back. */
export function requiredIn({ sources }: Pick<ExtensionPlace, "sources">): string[] {
  return [...new Set(sources.flatMap(({ config }) => config.required_plugins ?? []))]
}

/** @throws DocketError that names the first required plugin that does not run, and why */
export async function assertRequired(
  required: readonly string[],
  {
    place,
    entries,
    set,
  }: { place: Pick<ExtensionPlace, "provided">; entries: readonly PluginEntry[]; set: PluginSet | null },
): Promise<void> {
  const running = new Set((await set?.loaded())?.map(({ entry }) => entry.ref.name))
  for (const name of required) {
    const named = entries.filter((entry) => isNamed(entry, name))
    if (named.some(({ ref }) => running.has(ref.name))) continue
    const [first] = named
    const isUntrusted = place.provided.some((file) => file.kind === "plugin" && !file.trusted && file.name === name)
    const missing = isUntrusted ? "You do not trust it as it is now." : "There is no plugin of this name."
    const why = first === undefined ? missing : reasonOf(first, set)
    const remedy = "See Settings → Extensions, or take it out of required_plugins."
    throw new DocketError("invalid_input", `The plugin ${name} is required and does not run: ${why} ${remedy}`)
  }
}

function reasonOf({ isOff, waits, ref }: PluginEntry, set: PluginSet | null): string {
  if (isOff) return "It is switched off."
  const present = set?.entries.find((entry) => entry.ref.name === ref.name)
  const problem = present === undefined ? null : set?.groupOf(present).problem(present)
  return waits ?? problem ?? "It was not loaded."
}

/** Whether a plugin is meant: by the name of its package, the name of its file, or the path as Settings shows it. */
function isNamed({ ref, title }: PluginEntry, name: string): boolean {
  return [ref.name, title, basename(ref.name), packageOf(title)].includes(name)
}

function packageOf(title: string): string | null {
  try {
    return parsePackageSpec(title.replace(/@latest$/, "")).name
  } catch {
    return null
  }
}
