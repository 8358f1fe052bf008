import { realpath } from "node:fs/promises"
import path from "node:path"
import type { ExtensionLaunch, ExtensionPlace } from "@docket/core/extension-host"
import { namedFiles, namedPlaces, writablePlace } from "@docket/core/named-places"
import type { McpLocal } from "@docket/core/schema"
import { trustedCommand } from "@docket/core/trusted-command"
import type { PlacedServer } from "./placed-server.ts"

type LocalServer = PlacedServer & { config: McpLocal }

/** Whether the user configured it, where nobody else uses the service. */
function isOwn({ scope }: PlacedServer, { isShared }: ExtensionPlace): boolean {
  return scope === "user" && !isShared
}

/** Whether it runs with all rights of the user, because the user wrote so. */
export function isFree(server: PlacedServer, place: ExtensionPlace): boolean {
  return isOwn(server, place) && server.config.type === "local" && server.config.sandbox === false
}

/** How the program of a server is started. @throws Error for a place that is not there, or a file that nobody trusted */
export async function serverLaunch(server: LocalServer, place: ExtensionPlace): Promise<ExtensionLaunch> {
  const { config, name, scope, packageDirectory, files } = server
  const { worktree, id } = place.project
  const { command, readable } =
    scope === "user"
      ? { command: config.command, readable: [] }
      : await trustedCommand(config, files, { worktree, checkout: place.checkout })
  const [file = "", ...args] = command
  const cwd = await realpath(config.cwd === undefined ? worktree : path.resolve(worktree, config.cwd))
  const environment = config.environment ?? {}
  const own = isOwn(server, place)
  return {
    ...{ file, args, cwd, env: environment, owner: "mcp-server" },
    confined: isFree(server, place) ? "free" : "sandbox",
    network: config.network ?? "open",
    // It works for long beside people, whose changes must not count as its own.
    mayWrite: false,
    readable: [
      ...readable,
      ...(packageDirectory === undefined ? [] : [await realpath(packageDirectory)]),
      ...(own ? await namedPlaces(config.command, { cwd, home: place.home }) : []),
    ],
    writable: own
      ? await Promise.all((config.writable ?? []).map((one) => writablePlace(one, { worktree, home: place.home })))
      : [],
    // A command of the project could prepare files of a home that they share, and a server that was misled in one project
    // could leave something there for the next.
    home: `mcp ${scope} ${id} ${name}`,
    variables: own ? Object.keys(environment) : [],
    opened: own ? await namedFiles(config.command, cwd) : [],
  }
}
