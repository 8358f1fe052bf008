/** A value of a config that is set by itself, and the keys on the way to it. */
export interface ConfigLeaf {
  path: string[]
  value: unknown
}

/** Everything that a config sets. Lists are one value, but for `instructions`; so is each model of a provider. */
export function configLeaves(config: object): ConfigLeaf[] {
  return Object.entries(config).flatMap(([key, value]) => (key === "$schema" ? [] : leavesAt([key], value)))
}

function leavesAt(path: string[], value: unknown): ConfigLeaf[] {
  if (isWhole(path, value)) return [{ path, value }]
  const entries = Object.entries(Object(value))
  // An empty section sets nothing, but an agent or a provider without keys is one all the same.
  if (entries.length === 0) return path.length > 1 ? [{ path, value }] : []
  return entries.flatMap(([key, item]) => leavesAt([...path, key], item))
}

function isWhole([section, , part, ...rest]: string[], value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true
  if (Array.isArray(value)) return section !== "instructions"
  return section === "provider" && part === "models" && rest.length === 1
}
