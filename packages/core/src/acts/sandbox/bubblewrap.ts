import { closeSync } from "node:fs"
import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { firstDescriptor, mountArguments } from "./bubblewrap-arguments.ts"
import { openFilter } from "./filter-file.ts"
import { gitDirectories } from "./git-mounts.ts"
import { holdGitPointers } from "./git-pointers.ts"
import { gitSettings } from "./git-settings.ts"
import type { Mount } from "./mount.ts"
import type { NetworkRoom } from "./network-room.ts"
import { placeMounts } from "./place-mounts.ts"
import { privateDirectories } from "./private-directories.ts"
import { programMounts } from "./program-mounts.ts"
import type { ConfinedLaunch, Launch, SandboxPlace } from "./sandbox.ts"
import { sandboxEnv } from "./sandbox-env.ts"
import { systemCallFilter } from "./system-call-filter.ts"
import { systemMounts } from "./system-mounts.ts"

/** What this bubblewrap can do; older ones lack these. */
export interface BubblewrapFeatures {
  /** Shows a place by an open file of it. */
  holdsFiles: boolean
  /** Keeps programs from making namespaces of their own. */
  endsNamespaces: boolean
}

export interface BubblewrapDeps {
  /** Path of the program. */
  program: string
  /** Path of the one that enters a network; null where it is not installed. */
  nsenter: string | null
  features: BubblewrapFeatures
  /** Absolute and real, as all that follow. */
  home: string
  /** The variable PATH of the service. */
  path: string | undefined
  /** Docket's data. */
  dataDirectory: string
  /** What projects have for themselves lies in it, and worktrees of tasks. */
  ownDirectory: string
  /** The user's own configuration. */
  configDirectory: string
}

/**
 * Own processes, messages and names, no rights of root; all of it ends with the program that started it. What is started
 * is its first process: when that has ended and nothing else runs any more, bubblewrap ends, not before.
 */
const namespaces =
  "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent --as-pid-1 --hostname docket".split(
    " ",
  )

/** Waits for what loses its parent, and says of nothing how it ended: that is the exit code's. */
const firstProcess = ["/bin/sh", "-c", 'exec 9>&2 2>/dev/null; (exec "$0" "$@" 2>&9 9>&-); exit $?']

/** Directories that programs expect, and that hold sockets of the machine's services where they are not made anew. */
const emptySystem = ["--tmpfs", "/run", "--dir", "/var", "--symlink", "/run", "/var/run"]

export interface BubblewrapOptions {
  /** The network that it gets; null for none. */
  room: NetworkRoom | null
  /** Configuration that it can only read, besides that of its own directory and above. */
  guarded: readonly string[]
  /** Files and directories that it finds closed, see `standInsFor`. */
  closed: readonly Mount[]
  /** Those of them that are not to be moved with their directories. */
  staying: readonly string[]
}

export type ConfineByBubblewrap = (launch: Launch, place: SandboxPlace, options: BubblewrapOptions) => ConfinedLaunch

/**
 * By these, git compares size and seconds of what stands in for a closed file, and not the rest: it takes a file for
 * unchanged that it cannot open, and reports an error where it has to.
 */
const gitOfClosed = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.checkStat",
  GIT_CONFIG_VALUE_0: "minimal",
  GIT_CONFIG_KEY_1: "core.trustctime",
  GIT_CONFIG_VALUE_1: "false",
}

/** Starts programs by bubblewrap. The machine's programs are looked for once, when the first is started. */
export function createBubblewrap(deps: BubblewrapDeps): ConfineByBubblewrap {
  const { features, dataDirectory, ownDirectory, configDirectory } = deps
  const root = sandboxRoot(ownDirectory)
  const own = [dataDirectory, configDirectory]
  const filter = systemCallFilter(process.arch)
  let found: ReturnType<typeof findMounts> | null = null
  return (launch, place, { room, guarded, closed, staying }) => {
    found ??= findMounts(deps, own)
    const { home, temporary } = privateDirectories(root, place.project)
    const hidden = [...place.hidden, ...own].filter((directory) => isWithin(place.worktree, directory))
    const putBack = holdGitPointers(gitDirectories(place.worktree))
    const placed = placeMounts({ ...place, hidden }, path.join(ownDirectory, "worktrees"), staying)
    const isPlaced = new Set(placed.map((mount) => mount.path))
    const isHidden = (file: string) => hidden.some((directory) => isWithin(directory, file))
    const mounts: Mount[] = [
      { kind: "write", path: temporary, at: "/tmp" },
      { kind: "write", path: temporary, at: "/var/tmp" },
      { kind: "write", path: home, at: deps.home },
      ...gitSettings(deps.home),
      ...found.programs,
      ...placed,
      ...guarded.filter((file) => !isPlaced.has(file) && !isHidden(file)).map(toRead),
      ...closed.filter(({ path: file }) => !isHidden(file)),
    ]
    const { args, descriptors } = mountArguments(features.holdsFiles ? mounts : mounts.map(unheld))
    const filtering = filter === null ? [] : ["--seccomp", String(firstDescriptor + descriptors.length)]
    if (filter !== null) descriptors.push(openFilter(root, filter))
    const all = [
      ...namespaces,
      ...(room === null ? ["--unshare-net"] : []),
      ...(features.endsNamespaces ? ["--disable-userns"] : []),
      ...filtering,
      ...found.system,
      // Settings of the kernel: a service that runs as root could change them, as the owner of their files.
      ...["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev", ...emptySystem],
      ...args,
      ...["--remount-ro", "/", "--chdir", launch.cwd, "--", ...firstProcess, launch.file, ...launch.args],
    ]
    return {
      ...started(deps, all, room),
      cwd: "/",
      env: {
        ...sandboxEnv(launch.env, { home: deps.home, named: place.variables }),
        ...room?.env,
        ...(closed.length > 0 && gitOfClosed),
      },
      descriptors,
      release() {
        for (const descriptor of descriptors) closeSync(descriptor)
      },
      async ended() {
        putBack()
        return []
      },
    }
  }
}

/** Bubblewrap by itself, or from within the network that it is to stay in. */
function started({ program, nsenter }: BubblewrapDeps, args: string[], room: NetworkRoom | null) {
  if (room === null) return { file: program, args }
  if (nsenter === null) throw new Error("nsenter is not installed, so that no host can be reached: install util-linux.")
  const enter = ["--user", "--net", "--preserve-credentials", "--target", String(room.pid), "--"]
  return { file: nsenter, args: [...enter, program, ...args] }
}

/** What every sandbox of this machine shows. */
function findMounts(deps: BubblewrapDeps, own: readonly string[]): { system: string[]; programs: Mount[] } {
  const mounts = systemMounts()
  const system = mounts.map((mount) => mount.path)
  return { system: mountArguments(mounts).args, programs: programMounts({ ...deps, own, system }) }
}

/** Where projects have their own files for the sandbox. */
export function sandboxRoot(dataDirectory: string): string {
  return path.join(dataDirectory, "sandbox")
}

function toRead(file: string): Mount {
  return { kind: "held-read", path: file }
}

/** For a bubblewrap that knows no open files. */
function unheld(mount: Mount): Mount {
  if (mount.kind === "held-read") return { kind: "read", path: mount.path }
  return mount.kind === "held-write" ? { kind: "write", path: mount.path } : mount
}
