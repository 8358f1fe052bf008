/** The name of a field as `/v1` spells it: `sessionID` becomes `session_id`. */
export function wireName(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase()
}

/** The name of a type that belongs to an operation begins with a capital. */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
