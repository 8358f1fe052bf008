import { dirname, join } from "node:path"
import { userConfigDirectory } from "./user-directory.ts"

/** What people write as Markdown, one file each; a skill is a directory with a `SKILL.md`. */
export type DefinitionKind = "agent" | "command" | "skill"

/** By whose rules a definition is written. */
export type DefinitionOrigin = "docket" | "opencode" | "claude"

/** A directory that may hold definitions of one kind. */
export interface DefinitionPlace {
  kind: DefinitionKind
  origin: DefinitionOrigin
  /** Absolute. */
  directory: string
  /** The level that it belongs to; relative paths in its files start here. */
  level: string
}

/** Whose own definitions lie in their home. */
export interface DefiningUser {
  env: Record<string, string | undefined>
  home: string
}

/**
 * Where definitions of a project may lie at one level: a directory between its top and the one that is worked in. Lowest priority
 * first. What lies in a place of the user's own is not the project's.
 */
export function projectDefinitionPlaces(kind: DefinitionKind, level: string, user: DefiningUser): DefinitionPlace[] {
  const own = new Set(userDefinitionDirectories(user))
  const places: DefinitionPlace[] = [
    { kind, origin: "claude", directory: join(level, ".claude", `${kind}s`), level },
    { kind, origin: "opencode", directory: join(level, ".opencode", kind), level },
    { kind, origin: "opencode", directory: join(level, ".opencode", `${kind}s`), level },
    { kind, origin: "docket", directory: join(level, ".docket", `${kind}s`), level },
  ]
  return places.filter(({ directory }) => !own.has(directory))
}

/** Where the user's own definitions may lie, lowest priority first. */
export function userDefinitionPlaces(kind: DefinitionKind, user: DefiningUser): DefinitionPlace[] {
  const docket = userConfigDirectory(user)
  const opencode = join(dirname(docket), "opencode")
  const claude = join(user.home, ".claude")
  return [
    { kind, origin: "claude", directory: join(claude, `${kind}s`), level: claude },
    { kind, origin: "opencode", directory: join(opencode, kind), level: opencode },
    { kind, origin: "opencode", directory: join(opencode, `${kind}s`), level: opencode },
    { kind, origin: "docket", directory: join(docket, `${kind}s`), level: docket },
  ]
}

/** Every directory in which definitions of the user's own may lie. */
export function userDefinitionDirectories(user: DefiningUser): string[] {
  const kinds: DefinitionKind[] = ["agent", "command", "skill"]
  return kinds.flatMap((kind) => userDefinitionPlaces(kind, user)).map(({ directory }) => directory)
}
