import { realpath } from "node:fs/promises"
import type { WantedProgram } from "@docket/core/agent-programs"
import type { ExtensionLaunch } from "@docket/core/extension-host"
import { namedFiles, namedPlaces, writablePlace } from "@docket/core/named-places"
import { fetchesPackage } from "@docket/core/npx-command"
import { trustedCommand } from "@docket/core/trusted-command"
import type { AgentEntry } from "./agent-entry.ts"

/** How the program of an agent is started. @throws Error with why it may not be */
export async function agentLaunch(
  { config, scope, files }: AgentEntry,
  { place, agent, sessionID, directory, mayWrite }: WantedProgram,
): Promise<ExtensionLaunch> {
  const isOwn = scope === "user" && !place.isShared
  const isFree = isOwn && config.sandbox === false
  const { worktree, id } = place.project
  const written = [config.command, ...(config.args ?? [])]
  if (scope === "project" && fetchesPackage(written))
    throw new Error(
      `The project's agent "${agent}" runs whatever "${written.join(" ")}" fetches, which nobody has looked at. Install the package, and name its file; or set the agent in your own docket.json.`,
    )
  if (!mayWrite && (isFree || (await place.unconfined()) !== null))
    throw new Error(
      `The rules let no file be changed here, and "${agent}" runs outside the sandbox, where nothing holds it to them. Choose an agent of Docket's own, or a sandbox.`,
    )
  const { command, readable } =
    scope === "user"
      ? { command: written, readable: [] }
      : await trustedCommand({ command: written }, files, { worktree, checkout: place.checkout })
  const [file = "", ...args] = command
  const cwd = await realpath(directory)
  return {
    ...{ file, args, cwd, env: config.env ?? {}, owner: sessionID },
    confined: isFree ? "free" : "sandbox",
    network: config.network ?? "open",
    mayWrite,
    readable: [...readable, ...(isOwn ? await namedPlaces(command, { cwd, home: place.home }) : [])],
    writable: isOwn
      ? await Promise.all((config.writable ?? []).map((one) => writablePlace(one, { worktree, home: place.home })))
      : [],
    // Its conversations lie in its home, where it finds them again. A command of the project could change them, and an agent
    // that was misled in one project could leave something there for the next.
    home: `acp ${scope} ${id} ${agent}`,
    variables: isOwn ? Object.keys(config.env ?? {}) : [],
    opened: isOwn ? await namedFiles(command, cwd) : [],
  }
}

/** Why it runs outside the sandbox, in words for people; null when it runs in it. */
export async function whyOutside({ config, scope }: AgentEntry, { place }: WantedProgram): Promise<string | null> {
  if (scope === "user" && !place.isShared && config.sandbox === false)
    return 'Its entry in docket.json says "sandbox": false.'
  return place.unconfined()
}
