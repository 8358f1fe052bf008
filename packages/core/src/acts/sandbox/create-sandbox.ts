import { execFile, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createServer, type Server } from "node:net"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { promisify } from "node:util"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { readBoundedFileSync } from "../../ground/file/read-bounded-file.ts"
import { projectGit } from "../../ground/git/project-git.ts"
import { runGit } from "../../ground/git/run-git.ts"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import type { SandboxState } from "../../ground/schema/index.ts"
import { type BubblewrapFeatures, type ConfineByBubblewrap, createBubblewrap, sandboxRoot } from "./bubblewrap.ts"
import { createContainerLaunch } from "./container-launch.ts"
import { commonDirectory } from "./git-mounts.ts"
import { isThere } from "./held-directory.ts"
import type { LeftoverPlace } from "./known-place.ts"
import { putBack } from "./left-records.ts"
import { type Closable, createLeftovers, type Look } from "./leftovers.ts"
import type { Mount } from "./mount.ts"
import { createNetworkRooms, type NetworkRooms, noRooms } from "./network-rooms.ts"
import { changedPlaces } from "./place-mounts.ts"
import { clearTemporary, privateDirectories } from "./private-directories.ts"
import type { ClosedFiles, ConfinedLaunch, Launch, Sandbox, SandboxPlace } from "./sandbox.ts"
import { shutDirectory, standInsFor } from "./stand-ins.ts"

export interface SandboxDeps {
  home: string
  env: Readonly<Record<string, string | undefined>>
  platform: string
  /** Docket's data of all workspaces: hidden. */
  dataDirectory: string
  /** The workspace's own directory within `dataDirectory`; default: `dataDirectory` itself. */
  ownDirectory?: string
  /** The user's own configuration. */
  configDirectory: string
  clock(): number
  /** ms until the self-test is given up; 30 s unless given. A busy machine is no reason to go without a sandbox. */
  selfTestMs?: number
  /** For the containers of an executor, which starts the programs itself: its self-test. */
  containers?: () => Promise<SandboxState>
}

interface Ready {
  state: SandboxState
  /** Null when there is no sandbox. */
  parts: { confine: ConfineByBubblewrap; rooms: NetworkRooms } | null
}

/** The sandbox of this machine: bubblewrap, if installed and working. Nothing starts before `state` is called. */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const places = {
    home: realpathOr(deps.home),
    dataDirectory: realpathOr(deps.dataDirectory),
    ownDirectory: realpathOr(deps.ownDirectory ?? deps.dataDirectory),
    configDirectory: realpathOr(deps.configDirectory),
  }
  const leftovers = createLeftovers({ env: deps.env, clock: deps.clock })
  const settleIndex = createSettleIndex(deps)
  const watched = (place: SandboxPlace, patterns: readonly string[], missing: readonly string[]): LeftoverPlace => {
    const { home, aside, left } = privateDirectories(sandboxRoot(places.ownDirectory), place.project)
    return {
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
    }
  }
  /** What is looked at before a program starts. One that changes nothing leaves nothing behind. */
  const lookAt = async (place: SandboxPlace, { patterns, beside = [] }: ClosedFiles) => {
    const onlyReads = place.isReadOnly === true
    const named = onlyReads
      ? { there: [], missing: [] }
      : await namedBySettings(place.worktree, { home: places.home, env: deps.env })
    const here = watched(place, patterns, named.missing)
    // Before anything begins that has to be ended.
    const there = beside.length === 0 ? null : await leftovers.closable({ ...here, roots: beside })
    const {
      look = nothingLeft,
      configuration = [],
      ...found
    }: Partial<Look> & Closable = onlyReads ? await leftovers.closable(here) : await leftovers.before(here)
    const all = there === null ? [found] : [found, there]
    return {
      ...{ look, named: named.there, configuration },
      files: all.flatMap(({ files }) => files),
      unread: all.flatMap(({ unread }) => unread),
      nameless: all.flatMap(({ nameless }) => nameless),
    }
  }
  let made: Promise<Ready> | null = null
  let rooms: NetworkRooms | null = null
  let isClosed = false
  const refuseWhenClosed = () => {
    if (isClosed) throw new Error("Docket is stopping: it starts no command any more.")
  }
  const ready = () => {
    made ??= makeReady(deps, places).catch((error: unknown) => {
      // For example, the disk was full: the next command tries again, and no command runs unconfined meanwhile.
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
      const { look, named, configuration, files, unread, nameless } = await lookAt(place, closed)
      let remove = () => {}
      try {
        if (nameless.length > 0) throw namelessError(nameless)
        const found = await closedIn(place, files, closed)
        const standIns = standInsFor(found, sandboxRoot(places.ownDirectory))
        remove = standIns.remove
        if (found.length > 0 && !place.isReadOnly) await settleIndex(place.worktree, found)
        const confined = parts.confine(launch, place, {
          room,
          guarded: [...configuration, ...named],
          closed: [...standIns.mounts, ...(closed.patterns.length > 0 ? unread.flatMap(shut) : [])],
          staying: [
            ...found.filter((file) => !closed.patterns.some((pattern) => followsFile(pattern, file))),
            ...named,
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
      // The self-test writes files and starts programs.
      await made?.catch(() => {})
      await rooms?.close()
    },
  }
}

const nothingAllowed = async () => []
const nothingLeft = async () => []

const nothingClosed: ClosedFiles = { patterns: [], among: async () => [] }

/** The closed files of a place (absolute). */
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

/** Whether a pattern matches a file by its name alone, so that it still matches when its directory is moved. */
function followsFile(pattern: string, file: string): boolean {
  return pattern.startsWith("*") && matchWildcard(pattern, `/${path.basename(file)}`)
}

type Places = Required<Pick<SandboxDeps, "home" | "dataDirectory" | "ownDirectory" | "configDirectory">>

async function makeReady(deps: SandboxDeps, places: Places): Promise<Ready> {
  const noSandbox = (reason: string, remedy: string | null) => ({
    state: { state: "off", reason, remedy } as const,
    parts: null,
  })
  if (deps.containers !== undefined) return inContainers(deps.containers, places)
  if (deps.platform !== "linux") return noSandbox(`Docket has no sandbox for this system (${deps.platform}).`, null)
  const program = findProgram("bwrap", deps.env.PATH)
  if (program === null) {
    return noSandbox(
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
  const test = () =>
    testSandbox(confineAlone, { root, path: deps.env.PATH, timeout: deps.selfTestMs ?? usualSelfTestMs })
  const first = await test()
  // A temporary failure must not leave all commands without a sandbox.
  const state = first.state === "on" ? first : await test()
  if (state.state === "off") return { state, parts: null }
  const rooms = createNetworkRooms({ program, clock: deps.clock })
  return { state: state.state === "on" ? stateOf(features) : state, parts: { confine, rooms } }
}

async function inContainers(selfTest: () => Promise<SandboxState>, places: Places): Promise<Ready> {
  const root = sandboxRoot(places.ownDirectory)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const state = await selfTest()
  if (state.state === "off") return { state, parts: null }
  return { state, parts: { confine: createContainerLaunch(places), rooms: noRooms } }
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

const maxBytes = 256 * 1024
/** When none of the usual files contains one of these words, git need not run. */
const namingWords = /hookspath|include/i

export interface NamedBySettings {
  /** Absolute and real: existing files that commands may only read. */
  there: string[]
  /** Absolute: missing files that commands may not create. */
  missing: string[]
}

interface NamedBySettingsDeps {
  home: string
  env: Readonly<Record<string, string | undefined>>
}

/** Hook directories and further settings files in a worktree that the user's own git settings refer to. */
export async function namedBySettings(worktree: string, { home, env }: NamedBySettingsDeps): Promise<NamedBySettings> {
  const common = commonDirectory(worktree)
  if (common === null) return { there: [], missing: [] }
  const hooks = path.join(common, "hooks")
  const usual = ["config", "config.worktree"].map((name) => path.join(common, name))
  const ofUser = [".gitconfig", ".config/git/config"].map((name) => path.join(home, name))
  const mayNameFiles = [...usual, ...ofUser].some((file) => namingWords.test(textOf(file)))
  const named = [...(mayNameFiles ? await namesIn(worktree, { home, env }) : []), hooks]
  const there = named.flatMap((file) => realOf(file) ?? [])
  const isInside = (file: string) => file !== worktree && isWithin(worktree, file) && !isWithin(common, file)
  return {
    there: [...new Set(there)].filter(isInside),
    missing: named
      .filter((file) => !isThere(file))
      .map((file) => path.normalize(file))
      .filter(isInside),
  }
}

/** Paths are not normalised: behind a link, `..` leads elsewhere. */
async function namesIn(worktree: string, { home, env }: NamedBySettingsDeps): Promise<string[]> {
  // Settings that git cannot read start nothing.
  const output = await runGit(["config", "--list", "--show-origin", "-z"], { cwd: worktree, env }).catch(() => "")
  const fields = output.toString().split("\0")
  const names: string[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [origin = "", entry = ""] = fields.slice(at, at + 2)
    if (!origin.startsWith("file:")) continue
    const file = under(worktree, origin.slice("file:".length))
    const [key = "", value = ""] = entry.split("\n", 2)
    const name = value.replace(/^~\//, `${home}/`)
    names.push(file)
    if (key === "core.hookspath" && name !== "") names.push(...hooksOf(under(worktree, name)))
    if (/^include(?:if\..*)?\.path$/s.test(key) && name !== "") names.push(under(path.dirname(file), name))
  }
  return [...new Set(names)]
}

/** The hooks in husky's directory `_` start the scripts beside it. */
function hooksOf(directory: string): string[] {
  return path.basename(directory) === "_" ? [directory, path.dirname(directory)] : [directory]
}

function under(directory: string, name: string): string {
  return path.isAbsolute(name) ? name : `${directory}/${name}`
}

function realOf(file: string): string | null {
  try {
    return realpathSync.native(file)
  } catch {
    return null
  }
}

function textOf(file: string): string {
  try {
    return readBoundedFileSync(file, maxBytes).toString()
  } catch (error) {
    // A file that is too large may contain the words.
    return error instanceof Error && "code" in error ? "" : "include"
  }
}

const usualSelfTestMs = 30_000

/** The attempts of the self-test, in the words of the message when one succeeds. */
const attempts = {
  read: "read a file of Docket's data",
  write: "write outside the project",
  connect: "reach a service of this machine",
}

const script = `
cat "$1/token" >/dev/null 2>&1 && echo read
(echo x >"$1/written") 2>/dev/null
bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1"' bash "$2" 2>/dev/null && echo connect
echo x >done && echo ran`

/**
 * Runs a program in the sandbox that attempts forbidden things: read a planted token, write outside, connect to a
 * server of this machine.
 * @param root directory for the test's files, in Docket's data
 * @throws Error when it takes too long
 */
export async function testSandbox(
  confine: (launch: Launch, place: SandboxPlace) => ConfinedLaunch,
  { root, path: search = "/usr/bin:/bin", timeout }: { root: string; path: string | undefined; timeout: number },
): Promise<SandboxState> {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const directory = mkdtempSync(path.join(root, "self-test-"))
  const project = path.join(directory, "project")
  mkdirSync(project)
  writeFileSync(path.join(directory, "token"), randomUUID(), { mode: 0o600 })
  const server = createServer((socket) => socket.destroy())
  try {
    const port = await listening(server)
    const args = ["-c", script, "sh", directory, String(port)]
    const launch = { file: "/bin/sh", args, cwd: project, env: { PATH: search } }
    const place = {
      project: "self-test",
      worktree: project,
      directory: project,
      readable: [],
      writable: [],
      hidden: [],
      variables: [],
      hosts: [],
    }
    const { output, problem, isLate } = await run(confine(launch, place), timeout)
    if (isLate) throw new SelfTestLate(timeout)
    // The program may have written to a private place with the same name, so the real file is checked.
    const lines = [...output.split("\n"), ...(existsSync(path.join(directory, "written")) ? ["write"] : [])]
    if (!lines.includes("ran")) return off(problem)
    const leaks = Object.entries(attempts).flatMap(([name, what]) => (lines.includes(name) ? [what] : []))
    if (leaks.length === 0) return { state: "on", reason: null, remedy: null }
    return { state: "weak", reason: `A program in the sandbox could ${leaks.join(" and ")}.`, remedy: null }
  } catch (error) {
    if (error instanceof SelfTestLate) throw error
    return off(error instanceof Error ? error.message : String(error))
  } finally {
    server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Nothing is known of the sandbox: the next command tries again, and none runs meanwhile. */
class SelfTestLate extends Error {
  constructor(timeout: number) {
    super(`its self-test took longer than ${timeout / 1000} s`)
  }
}

function off(problem: string): SandboxState {
  return {
    state: "off",
    reason: `bubblewrap cannot run here: ${problem.trim() || "it ended without a word"}`,
    remedy:
      "Allow programs to make user namespaces: on Ubuntu by an AppArmor profile for bwrap, elsewhere by the sysctl kernel.unprivileged_userns_clone=1; a container needs a seccomp profile that allows them and a /proc that is not masked, a unit of systemd does without the options that deploy/docket.service names. Then restart Docket.",
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
}

function run({ file, args, cwd, env, descriptors, release }: ConfinedLaunch, timeout: number) {
  return new Promise<{ output: string; problem: string; isLate: boolean }>((resolve) => {
    const child = spawn(file, args, {
      cwd,
      // Where Next's types are present, ProcessEnv demands NODE_ENV; the test needs none.
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe", ...descriptors],
      timeout,
      killSignal: "SIGKILL",
    })
    release()
    let output = ""
    let problem = ""
    child.stdout?.on("data", (text) => {
      output += text
    })
    child.stderr?.on("data", (text) => {
      problem += text
    })
    child.once("error", (error) => resolve({ output, problem: error.message, isLate: false }))
    child.once("close", () => resolve({ output, problem, isLate: child.killed }))
  })
}

/** ms */
const second = 1_000
const settleTimeout = 10_000
const maxPointer = 4_096
/** ms. A file's timestamp may be this much behind the clock. */
const clockSlack = 20

interface SettleDeps {
  env: Readonly<Record<string, string | undefined>>
  clock(): number
}

/**
 * git reads a tracked file again if it changed in or after the second in which the index was written, and treats a file
 * that it cannot read as changed. So git refreshes its index before a command finds files closed.
 * @returns refreshes the index for files of a worktree (absolute); again only after another change
 */
export function createSettleIndex({
  env,
  clock,
}: SettleDeps): (worktree: string, files: readonly string[]) => Promise<void> {
  /** By repository: when its index and the newest of the young files had changed at the last refresh. */
  const settled = new Map<string, string>()
  const settle = async (repository: string, files: readonly string[]) => {
    const index = indexOf(repository)
    const written = index === null ? null : changeOf(index)
    if (index === null || written === null) return
    const young = files.filter((file) => inSeconds(changeOf(file) ?? 0) >= inSeconds(written))
    const last = Math.max(...young.map((file) => changeOf(file) ?? 0))
    if (young.length === 0 || settled.get(repository) === `${written} ${last}`) return
    const now = clock()
    if (inSeconds(last) === inSeconds(now)) await delay(second - (now % second) + clockSlack)
    const args = ["status", "--porcelain", "-z", "--untracked-files=no", "--", ...young]
    const variables = { GIT_OPTIONAL_LOCKS: "1", GIT_LITERAL_PATHSPECS: "1" }
    // After a failure a file may be shown as changed, but it is not committed.
    await projectGit({ directory: repository, env, timeout: settleTimeout, variables }, args).catch(() => {})
    settled.set(repository, `${changeOf(index)} ${last}`)
  }
  return async (worktree, files) => {
    const byRepository = Map.groupBy(files, (file) => repositoryOf(file, worktree))
    for (const [repository, own] of byRepository) if (repository !== null) await settle(repository, own)
  }
}

/** The top of the repository that contains a file, at most the worktree itself; null for none. */
function repositoryOf(file: string, worktree: string): string | null {
  if (!isWithin(worktree, file)) return null
  const above = directoriesBetween(worktree, path.dirname(file)).toReversed()
  return above.find((directory) => changeOf(path.join(directory, ".git")) !== null) ?? null
}

/** git's index file; null when there is none. */
function indexOf(repository: string): string | null {
  const dotGit = path.join(repository, ".git")
  try {
    if (lstatSync(dotGit).isDirectory()) return path.join(dotGit, "index")
    const named = /^gitdir: (.+)$/m.exec(readBoundedFileSync(dotGit, maxPointer).toString())?.[1]
    return named === undefined ? null : path.resolve(repository, named.trim(), "index")
  } catch {
    return null
  }
}

function inSeconds(time: number): number {
  return Math.floor(time / second)
}

/** Epoch ms; null for a missing file. */
function changeOf(file: string): number | null {
  try {
    return lstatSync(file).mtimeMs
  } catch {
    return null
  }
}
