import { realpath, stat } from "node:fs/promises"
import path from "node:path"
import type { ExtensionLaunch, ExtensionPlace } from "@docket/core/extension-host"
import { isWithin } from "@docket/core/is-within"
import type { McpLocal } from "@docket/core/schema"
import type { PlacedServer } from "./placed-server.ts"
import { trustedCommand } from "./trusted-programs.ts"

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
    writable: own ? await Promise.all((config.writable ?? []).map((one) => writablePlace(one, place))) : [],
    // A command of the project could prepare files of a home that they share.
    home: `mcp ${scope === "user" ? "" : id} ${name}`,
    variables: own ? Object.keys(environment) : [],
    opened: own ? await namedFiles(config.command, cwd) : [],
  }
}

async function writablePlace(named: string, { project, home }: ExtensionPlace): Promise<string> {
  const place = path.resolve(project.worktree, named.replace(/^~(?=\/|$)/, home))
  return realpath(place).catch((cause: unknown) => {
    throw new Error(`${named} of "writable" is not there: make it, or take it out.`, { cause })
  })
}

/** Words of a command that are looked at. */
const mostWords = 50

/** The files that the user's own command names. */
async function namedFiles(command: readonly string[], cwd: string): Promise<string[]> {
  const found = wordsOf(command).map((word) => realpath(path.resolve(cwd, word)).catch(() => null))
  return (await Promise.all(found)).filter((file) => file !== null)
}

function wordsOf(command: readonly string[]): string[] {
  return command.slice(0, mostWords).map((word) => word.replace(/^--?[\w-]+=/, ""))
}

/** What the user's own command names: directories, and files with the package that they belong to. */
async function namedPlaces(
  command: readonly string[],
  { cwd, home }: { cwd: string; home: string },
): Promise<string[]> {
  const named = wordsOf(command).filter((word) => word.includes("/") && !word.includes("://"))
  const found = named.map(async (word) => {
    try {
      const real = await realpath(path.resolve(cwd, word))
      return (await stat(real)).isDirectory() ? [real] : [await placeOfFile(real, home)]
    } catch {
      // Most words are no paths.
      return []
    }
  })
  return [...new Set((await Promise.all(found)).flat())]
}

const manifests = ["package.json", "pyproject.toml", "go.mod", "Cargo.toml"]

/** The outermost package of a file with what it depends on, else its directory; never one that holds the home. */
async function placeOfFile(file: string, home: string): Promise<string> {
  const holdsHome = (directory: string) => isWithin(directory, home)
  const parts = file.split(path.sep)
  const modules = parts.indexOf("node_modules")
  if (modules > 0) return parts.slice(0, modules + 1).join(path.sep)
  const above = parts.slice(1, -1).map((_, at) => parts.slice(0, at + 2).join(path.sep))
  for (const directory of above.filter((one) => !holdsHome(one))) {
    const there = await Promise.allSettled(manifests.map((name) => stat(path.join(directory, name))))
    if (there.some(({ status }) => status === "fulfilled")) return directory
  }
  const directory = path.dirname(file)
  return holdsHome(directory) ? file : directory
}
