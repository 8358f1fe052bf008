import { execFile } from "node:child_process"
import { accessSync, constants, mkdirSync, realpathSync } from "node:fs"
import path from "node:path"
import { promisify } from "node:util"
import { isWithin } from "../../ground/file/is-within.ts"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import type { SandboxState } from "../../ground/schema/index.ts"
import { type BubblewrapFeatures, type ConfineByBubblewrap, createBubblewrap, sandboxRoot } from "./bubblewrap.ts"
import { isThere } from "./is-there.ts"
import { putBack } from "./left-records.ts"
import { createLeftovers } from "./leftovers.ts"
import type { Mount } from "./mount.ts"
import { namedBySettings } from "./named-by-settings.ts"
import { createNetworkRooms, type NetworkRooms } from "./network-rooms.ts"
import { changedPlaces } from "./place-mounts.ts"
import { clearTemporary, privateDirectories } from "./private-directories.ts"
import type { ClosedFiles, Launch, Sandbox, SandboxPlace } from "./sandbox.ts"
import { testSandbox } from "./self-test.ts"
import { createSettleIndex } from "./settle-index.ts"
import { shutDirectory, standInsFor } from "./stand-ins.ts"

export interface SandboxDeps {
  home: string
  env: Readonly<Record<string, string | undefined>>
  platform: string
  /** Docket's data, of all workspaces: hidden. */
  dataDirectory: string
  /** Where the workspace has its own, in `dataDirectory`; that itself when left out. */
  ownDirectory?: string
  /** The user's own configuration. */
  configDirectory: string
  clock(): number
}

interface Ready {
  state: SandboxState
  /** Null where there is no sandbox. */
  parts: { confine: ConfineByBubblewrap; rooms: NetworkRooms } | null
}

/**
 * The sandbox of this machine: bubblewrap, where it is installed and can run. Nothing is started before the state is
 * first asked for.
 */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const places = {
    home: realpathOr(deps.home),
    dataDirectory: realpathOr(deps.dataDirectory),
    ownDirectory: realpathOr(deps.ownDirectory ?? deps.dataDirectory),
    configDirectory: realpathOr(deps.configDirectory),
  }
  const leftovers = createLeftovers({ env: deps.env, clock: deps.clock })
  const settleIndex = createSettleIndex(deps)
  const watch = (place: SandboxPlace, patterns: readonly string[], missing: readonly string[]) => {
    const { home, aside, left } = privateDirectories(sandboxRoot(places.ownDirectory), place.project)
    return leftovers.before({
      worktree: place.worktree,
      directory: place.directory,
      roots: changedPlaces(place, path.join(places.ownDirectory, "worktrees")),
      skip: [...place.hidden, places.dataDirectory, places.configDirectory],
      home,
      aside,
      missing,
      left,
      allowed: place.allowed ?? nothingAllowed,
      patterns,
    })
  }
  let made: Promise<Ready> | null = null
  let rooms: NetworkRooms | null = null
  let isClosed = false
  const refuseWhenClosed = () => {
    if (isClosed) throw new Error("Docket is stopping: it starts no command any more.")
  }
  const ready = () => {
    made ??= makeReady(deps, places).catch((error: unknown) => {
      // The disk was full, say: the next command looks again, and none runs unheld meanwhile.
      made = null
      throw error
    })
    return made
  }
  return {
    async state() {
      refuseWhenClosed()
      return (await ready()).state
    },
    refusal: (place) => refusal(place, places),
    async confine(launch, place, closed = nothingClosed) {
      refuseWhenClosed()
      const { state, parts } = await ready()
      refuseWhenClosed()
      if (parts === null) throw new Error(`There is no sandbox. ${state.reason}`)
      rooms = parts.rooms
      const room = await rooms.of(place)
      const named = await namedBySettings(place.worktree, { home: places.home, env: deps.env })
      const { look, configuration, files, unread, nameless } = await watch(place, closed.patterns, named.missing)
      let remove = () => {}
      try {
        if (nameless.length > 0) throw namelessError(nameless)
        const found = await closedIn(place, files, closed)
        const standIns = standInsFor(found, sandboxRoot(places.ownDirectory))
        remove = standIns.remove
        if (found.length > 0) await settleIndex(place.worktree, found)
        const confined = parts.confine(launch, place, {
          room,
          guarded: [...configuration, ...named.there],
          closed: [...standIns.mounts, ...(closed.patterns.length > 0 ? unread.flatMap(shut) : [])],
          staying: [
            ...found.filter((file) => !closed.patterns.some((pattern) => followsFile(pattern, file))),
            ...named.there,
          ],
        })
        return {
          ...confined,
          async ended() {
            remove()
            const done = await confined.ended()
            return [...done, ...(await look())]
          },
        }
      } catch (error) {
        remove()
        await look()
        throw error
      }
    },
    allowLeft(project, id, allow) {
      const { left } = privateDirectories(sandboxRoot(places.ownDirectory), project)
      return putBack(left, id, allow)
    },
    refusedHosts: (place, since) => rooms?.refused(place, since) ?? [],
    async close() {
      isClosed = true
      // The self-test writes and starts programs.
      await made?.catch(() => {})
      await rooms?.close()
    },
  }
}

const nothingAllowed = async () => []

const nothingClosed: ClosedFiles = { patterns: [], among: async () => [] }

/** The files of a place, absolute, that are closed. */
async function closedIn({ worktree }: SandboxPlace, files: readonly string[], closed: ClosedFiles): Promise<string[]> {
  const names = new Map(
    files.filter(isThere).map((file) => [isWithin(worktree, file) ? path.relative(worktree, file) : file, file]),
  )
  return (await closed.among([...names.keys()])).flatMap((name) => names.get(name) ?? [])
}

function namelessError(directories: readonly string[]): Error {
  return new Error(
    `The command was not run: rules for read may close files in directories whose names are no UTF-8, where none can be closed (${directories.slice(0, 5).join(", ")}). Tell the user to give them other names.`,
  )
}

function shut(directory: string): Mount[] {
  const mount = shutDirectory(directory)
  return mount === null ? [] : [mount]
}

/** Whether a pattern matches a file by its own name, wherever its directory is moved. */
function followsFile(pattern: string, file: string): boolean {
  return pattern.startsWith("*") && matchWildcard(pattern, `/${path.basename(file)}`)
}

type Places = Required<Pick<SandboxDeps, "home" | "dataDirectory" | "ownDirectory" | "configDirectory">>

async function makeReady(deps: SandboxDeps, places: Places): Promise<Ready> {
  const off = (reason: string, remedy: string | null) => ({
    state: { state: "off", reason, remedy } as const,
    parts: null,
  })
  if (deps.platform !== "linux") return off(`Docket has no sandbox for this system (${deps.platform}).`, null)
  const program = findProgram("bwrap", deps.env.PATH)
  if (program === null) {
    return off(
      "bubblewrap is not installed.",
      "Install it (apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap) and restart Docket.",
    )
  }
  const root = sandboxRoot(places.ownDirectory)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const features = await featuresOf(program)
  const nsenter = findProgram("nsenter", deps.env.PATH)
  const confine = createBubblewrap({ ...places, program, nsenter, features, path: deps.env.PATH })
  await clearTemporary(root)
  const confineAlone = (launch: Launch, place: SandboxPlace) =>
    confine(launch, place, { room: null, guarded: [], closed: [], staying: [] })
  const test = () => testSandbox(confineAlone, { root, path: deps.env.PATH })
  const first = await test()
  // What went wrong for a moment only must not leave every command without it.
  const state = first.state === "on" ? first : await test()
  if (state.state === "off") return { state, parts: null }
  const rooms = createNetworkRooms({ program, clock: deps.clock })
  return { state: state.state === "on" ? stateOf(features) : state, parts: { confine, rooms } }
}

function stateOf({ holdsFiles, endsNamespaces }: BubblewrapFeatures): SandboxState {
  if (holdsFiles && endsNamespaces) return { state: "on", reason: null, remedy: null }
  const lack = [
    ...(holdsFiles ? [] : ["a link that is put in a file's place at the right moment could show what it should hide"]),
    ...(endsNamespaces ? [] : ["programs can make namespaces of their own"]),
  ]
  return {
    state: "weak",
    reason: `This bubblewrap is old: ${lack.join(", and ")}.`,
    remedy: "Install bubblewrap 0.10 or newer and restart Docket.",
  }
}

async function featuresOf(program: string): Promise<BubblewrapFeatures> {
  const { stdout } = await promisify(execFile)(program, ["--help"]).catch(() => ({ stdout: "" }))
  return { holdsFiles: stdout.includes("--ro-bind-fd"), endsNamespaces: stdout.includes("--disable-userns") }
}

function refusal({ worktree }: SandboxPlace, { home, dataDirectory }: Places): string | null {
  if (worktree === "/" || (home !== "/" && isWithin(worktree, home))) {
    return `Your home directory lies in the project (${worktree}), and its secrets could not be kept from commands. Open a directory below it as the project.`
  }
  return worktree === dataDirectory ? `The project (${worktree}) is Docket's own data directory.` : null
}

function findProgram(name: string, search = ""): string | null {
  const files = search
    .split(path.delimiter)
    .filter(path.isAbsolute)
    .map((directory) => path.join(directory, name))
  return files.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function realpathOr(directory: string): string {
  try {
    return realpathSync(directory)
  } catch {
    return path.resolve(directory)
  }
}
