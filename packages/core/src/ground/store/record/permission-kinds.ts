import { PermissionMetadata } from "../../schema/index.ts"

/** The first shape of a request kept what it was about without saying of which kind that was. */
export function namePermissionKind({ metadata, ...rest }: Record<string, unknown>): Record<string, unknown> {
  // Parsed below, whatever it is.
  const older: Record<string, unknown> = { ...(metadata as object | null) }
  const { permission, patterns } = rest
  const named = kinds(String(permission), Array.isArray(patterns) ? patterns : [], older)
  const read = named.map((candidate) => PermissionMetadata.safeParse(candidate).data)
  return { ...rest, metadata: read.find((found) => found !== undefined) ?? { ...older, kind: "other" } }
}

/** What a request of that time may be, the likeliest first. */
function kinds(permission: string, patterns: unknown[], older: Record<string, unknown>): object[] {
  const command = { ...older, kind: permission === "schedule" ? "schedule" : "command" }
  switch (permission) {
    case "doom_loop":
      return [{ ...older, kind: "repeat", times: 3 }]
    case "task":
      // `agent` was overwritten with the one that asked.
      return [{ ...older, kind: "task", agent: patterns[0] }]
    case "edit":
      return [{ ...older, kind: "change" }, command]
    case "read":
      return [{ kind: "files", files: older.files ?? [older.file] }, command]
    case "list":
    case "external_directory":
      return [{ ...older, kind: "path" }, command]
    case "glob":
    case "grep":
      return [{ ...older, kind: "search" }]
    default:
      return [command]
  }
}
