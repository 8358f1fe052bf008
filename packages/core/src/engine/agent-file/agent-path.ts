import { realpath } from "node:fs/promises"
import { join, relative, resolve } from "node:path"
import { DocketError } from "../../ground/error/docket-error.ts"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { Project } from "../../ground/schema/index.ts"
import type { DefinitionOrigin, DefinitionPlace } from "../../setup/config/definitions.ts"
import type { OtherPrograms } from "../../setup/config/other-programs.ts"
import { projectPlaces, userPlace } from "../../setup/config/read-config-sources.ts"
import type { AgentFileOwner } from "./agent-file-service.ts"

/** What the places of agent files depend on. */
export interface AgentPlaceDeps {
  home: string
  env: Record<string, string | undefined>
  programs: OtherPrograms
}

/** The place of an agent's Markdown file. */
export interface AgentPath {
  /** Absolute, not resolved. */
  file: string
  /** The agent's name according to the path. */
  name: string
  origin: DefinitionOrigin
  owner: AgentFileOwner
}

/** One to four parts with `/` between them. Dots are not allowed, so a name is never hidden and never leads upwards. */
const namePattern = /^[a-z0-9][a-z0-9_-]{0,39}(?:\/[a-z0-9][a-z0-9_-]{0,39}){0,3}$/i

/** The path for a new agent. @throws invalid_input for an invalid name */
export function newAgentPath(
  deps: AgentPlaceDeps,
  project: Project,
  { owner, name }: { owner: AgentFileOwner; name: string },
): AgentPath {
  if (!namePattern.test(name)) {
    const message = `"${name.slice(0, 80)}" cannot be an agent's name: use letters, digits, "-" and "_", such as "reviewer" or "team/reviewer".`
    throw new DocketError("invalid_input", message)
  }
  const directory =
    owner === "user" ? join(userPlace(deps).directory, "agents") : join(resolve(project.worktree), ".docket", "agents")
  return { file: join(directory, `${name}.md`), name, origin: "docket", owner }
}

/** The path of an agent file, when agents of this project or user are loaded from there; else null. */
export function knownAgentPath(deps: AgentPlaceDeps, project: Project, file: string): AgentPath | null {
  const own = userPlace(deps)
  const levels = directoriesBetween(resolve(project.worktree), resolve(project.directory))
  const places = [
    ...own.agents.map((place) => ({ place, owner: "user" as const })),
    ...projectPlaces(levels, deps).flatMap(({ agents }) =>
      agents.map((place) => ({ place, owner: "project" as const })),
    ),
  ]
  const found = places.find(({ place }) => isAgentIn(place, file))
  if (!found) return null
  const name = relative(found.place.directory, file).slice(0, -".md".length)
  return { file, name, origin: found.place.origin, owner: found.owner }
}

function isAgentIn({ directory }: DefinitionPlace, file: string): boolean {
  // A path with `..` could lead out of the directory.
  const isNormalised = resolve(file) === file
  return isNormalised && file.endsWith(".md") && isWithin(directory, file)
}

/**
 * The path that is written. The user's own file may be a link or lie behind one. In a project no link is followed,
 * because its target may lie outside the project.
 * @throws config_invalid when there is a link
 */
export async function realAgentPath({ file, owner }: AgentPath, worktree: string): Promise<string> {
  if (owner === "user") return realpathOfDeepest(file)
  const top = await realpath(worktree)
  const expected = join(top, relative(resolve(worktree), file))
  if ((await realpathOfDeepest(file)) === expected) return expected
  const message = `${file} is a link, or lies behind one. Change what it leads to instead: nothing is written through links of a project.`
  throw new DocketError("config_invalid", message)
}
