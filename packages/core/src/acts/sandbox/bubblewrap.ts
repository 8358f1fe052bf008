import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { readBoundedFileSync } from "../../ground/file/read-bounded-file.ts"
import { gitDirectories } from "./git-mounts.ts"
import type { Mount } from "./mount.ts"
import type { NetworkRoom } from "./network-rooms.ts"
import { placeMounts } from "./place-mounts.ts"
import { openFilter, privateDirectories } from "./private-directories.ts"
import type { ConfinedLaunch, Launch, SandboxPlace } from "./sandbox.ts"
import { systemCallFilter } from "./system-call-filter.ts"

/** What this bubblewrap can do; older ones lack these. */
export interface BubblewrapFeatures {
  /** Shows a place by an open file of it. */
  holdsFiles: boolean
  /** Keeps programs from making namespaces of their own. */
  endsNamespaces: boolean
}

interface BubblewrapDeps {
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

interface BubblewrapOptions {
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

/** Arguments of bubblewrap, and the open files that they speak of: its descriptors 3, 4, and so on. */
interface BubblewrapArguments {
  args: string[]
  descriptors: number[]
}

/** Node's descriptors 0 to 2 come first. */
const firstDescriptor = 3

/** @throws Error when a file cannot be opened for another reason than that it is not there; nothing stays open then */
function mountArguments(mounts: readonly Mount[]): BubblewrapArguments {
  const descriptors: number[] = []
  const hold = (file: string): string | null => {
    const opened = openHeld(file)
    return opened === null ? null : String(firstDescriptor + descriptors.push(opened) - 1)
  }
  try {
    return { args: mounts.flatMap((mount) => argumentsOf(mount, hold)), descriptors }
  } catch (error) {
    for (const descriptor of descriptors) closeSync(descriptor)
    throw error
  }
}

function argumentsOf(mount: Mount, hold: (file: string) => string | null): string[] {
  switch (mount.kind) {
    case "read":
      return ["--ro-bind", mount.path, mount.at ?? mount.path]
    case "write":
      return ["--bind", mount.path, mount.at ?? mount.path]
    case "held-read":
    case "held-write": {
      const descriptor = hold(mount.path)
      if (descriptor === null) return []
      return [mount.kind === "held-read" ? "--ro-bind-fd" : "--bind-fd", descriptor, mount.path]
    }
    case "empty-directory":
      return ["--tmpfs", mount.path]
    case "shut-directory":
      return ["--perms", "0555", "--tmpfs", mount.path, "--remount-ro", mount.path]
    case "empty-file":
      return ["--ro-bind", "/dev/null", mount.path]
    case "closed-file":
      return ["--ro-bind", mount.standIn, mount.path]
    case "link":
      return ["--symlink", mount.to, mount.path]
    default:
      mount satisfies never
      return []
  }
}

/** Opening never waits, also for a pipe. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/** Null when nothing is there by exactly this name: also when a part of the path was made a link meanwhile. */
function openHeld(file: string): number | null {
  let descriptor: number
  try {
    descriptor = openSync(file, flags)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR" || code === "ENXIO") return null
    throw error
  }
  if (readlinkSync(`/proc/self/fd/${descriptor}`) === file) return descriptor
  closeSync(descriptor)
  return null
}

/**
 * Variables that programs in a sandbox do not get, besides the secrets that no command gets: what makes programs load or
 * run something else, and where services of this machine listen. Source: ld.so(8), bash(1), git(1), the manuals of the
 * interpreters, the XDG base directory specification.
 */
const leftOut = new RegExp(
  `^(?:${[
    String.raw`LD_\w+|DYLD_\w+|GCONV_PATH|MALLOC_\w+|GIT_\w+|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|CDPATH`,
    String.raw`NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|PYTHON(?:PATH|HOME|STARTUP|INSPECT)|PERL5\w*|PERLLIB|RUBYOPT|RUBYLIB`,
    String.raw`JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|RUSTC_WRAPPER|npm_config_\w+|NPM_CONFIG_\w+`,
    String.raw`XDG_\w+|TMPDIR|TMP|TEMP|HOME|PWD|OLDPWD|SSH_\w+|GPG_\w+|GNUPGHOME|DBUS_\w+|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY`,
    String.raw`DOCKER_\w+|CONTAINER_HOST|KUBE\w+|AWS_\w+|AZURE_\w+|GOOGLE_\w+|CLOUDSDK_\w+|PG\w+|NETRC|(?:https?|ftp|all|no|grpc)_proxy`,
  ].join("|")})$`,
  "i",
)
/** Of git's, those with which Docket keeps it from waiting for a person. */
const kept = /^GIT_(?:PAGER|EDITOR|TERMINAL_PROMPT)$/

/** The environment of a program in a sandbox. `named` is what the user wants in it. */
function sandboxEnv(
  env: Readonly<Record<string, string>>,
  { home, named }: { home: string; named: readonly string[] },
): Record<string, string> {
  const passed = Object.entries(env).filter(([name]) => named.includes(name) || kept.test(name) || !leftOut.test(name))
  return { ...Object.fromEntries(passed), HOME: home, TMPDIR: "/tmp" }
}

/** Where tools for languages and versions of them install themselves in a home; none of these keeps keys there. */
const toolsOfHome = [
  ".nvm .fnm .volta .asdf .pyenv .rbenv .nodenv .jenv .goenv .sdkman .rustup .cargo/bin .bun/bin .deno/bin .dotnet .ghcup",
  ".juliaup .opam .pub-cache/bin .npm-global .yarn/bin go/bin miniconda3 miniforge3 anaconda3 .local/bin .local/lib",
  ".local/share/mise .local/share/rtx .local/share/fnm .local/share/uv .local/share/pipx .local/pipx .cache/ms-playwright",
]
  .join(" ")
  .split(" ")

/** In a home these hold more than programs: of them a directory on the search path is shown alone. */
const sharedByMuch = ". .local .config .cargo .cache .npm .bun .deno .yarn go".split(" ")

interface ProgramPlaces {
  home: string
  /** The variable PATH of the service. */
  path: string | undefined
  /** Where Docket keeps its own. */
  own: readonly string[]
  /** Shown anyway. */
  system: readonly string[]
}

/** Programs that are installed outside the system's directories: those on the search path, and tools in the home. */
function programMounts({ home, path: directories = "", own, system }: ProgramPlaces): Mount[] {
  const ofHome = toolsOfHome.map((name) => path.join(home, name)).filter(isDirectory)
  const found = directories.split(path.delimiter).flatMap((directory) => {
    if (!path.isAbsolute(directory) || !isDirectory(directory)) return []
    const named = installationOf(directory, home)
    const real = installationOf(realpathSync(directory), home)
    return named === real ? [named] : [named, real]
  })
  const shown = [...new Set([...ofHome, ...found])].filter((place) => {
    if (place === "/" || isWithin(place, home)) return false
    if (own.some((directory) => isWithin(directory, place) || isWithin(place, directory))) return false
    return !system.some((directory) => isWithin(directory, place))
  })
  const widest = shown.filter((place) => !shown.some((other) => other !== place && isWithin(other, place)))
  return widest.map((place) => ({ kind: "read", path: place }))
}

/** What is installed together with a directory of programs: `…/node-24` for `…/node-24/bin`. */
function installationOf(directory: string, home: string): string {
  const parent = path.dirname(directory)
  const name = path.basename(directory)
  if (name === ".bin" && path.basename(parent) === "node_modules") return parent
  if (name !== "bin" && name !== "sbin") return directory
  const isShared = isWithin(home, parent) && sharedByMuch.includes(path.relative(home, parent) || ".")
  return isShared || path.dirname(parent) === "/" ? directory : parent
}

function isDirectory(place: string): boolean {
  try {
    return statSync(place).isDirectory()
  } catch {
    return false
  }
}

/** Where systems keep programs and what these need to run; everything else at the top of the file system is not there. */
const systemDirectories = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /nix /gnu /snap".split(" ")

/** In `/etc`, what a service that runs as root could read: passwords, private keys, credentials of networks. */
const systemSecrets = [
  "shadow shadow- gshadow gshadow- sudoers sudoers.d krb5.keytab security/opasswd ssl/private pki/tls/private",
  "ssh docker kubernetes rancher wireguard openvpn letsencrypt ppp ipsec.secrets ipsec.d NetworkManager/system-connections",
  "wpa_supplicant cloud credstore credstore.encrypted",
]
  .join(" ")
  .split(" ")

/** The system, to be read only: programs, libraries and their settings, without secrets. */
function systemMounts(): Mount[] {
  return [...systemDirectories.flatMap(systemMount), ...optionalPrograms(), ...secretMasks()]
}

function systemMount(directory: string): Mount[] {
  const facts = lstatSync(directory, { throwIfNoEntry: false })
  if (facts === undefined) return []
  if (facts.isSymbolicLink()) return [{ kind: "link", path: directory, to: readlinkSync(directory) }]
  return [{ kind: "read", path: directory }]
}

/** What is installed in `/opt`, but for repositories that people keep there. */
function optionalPrograms(): Mount[] {
  return entriesOf("/opt")
    .map((name) => path.join("/opt", name))
    .filter((directory) => lstatSync(path.join(directory, ".git"), { throwIfNoEntry: false }) === undefined)
    .map((directory) => ({ kind: "read", path: directory }))
}

function secretMasks(): Mount[] {
  return systemSecrets.flatMap((name): Mount[] => {
    const file = path.join("/etc", name)
    const facts = lstatSync(file, { throwIfNoEntry: false })
    if (facts?.isDirectory()) return [{ kind: "empty-directory", path: file }]
    return facts?.isFile() ? [{ kind: "empty-file", path: file }] : []
  })
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** By these, in one of its directories, git finds its settings elsewhere: `gitrepository-layout(5)`. */
const names = ["commondir", "config.worktree"]
/** Bytes of one that is put back. */
const maxBytes = 64 * 1024

/**
 * Remembers where git finds its settings. They are hardly ever there, and what is not there cannot be shown as something
 * to be read only: so a program may write them, and it is undone.
 * @param directories of git: of a repository, its worktrees and submodules
 * @returns puts back what was; for when no program can write there any more
 */
function holdGitPointers(directories: readonly string[]): () => void {
  const before = directories
    .flatMap((directory) => names.map((name) => path.join(directory, name)))
    .map((file) => ({ file, content: contentOf(file) }))
  return () => {
    for (const { file, content } of before) {
      if (!isItself(path.dirname(file)) || content === undefined || isSame(content, contentOf(file))) continue
      rmSync(file, { recursive: true, force: true })
      if (content !== null) writeFileSync(file, content, { flag: "wx" })
    }
  }
}

/** Null where nothing is; undefined where it is no small file. */
function contentOf(file: string): Buffer | null | undefined {
  const facts = lstatSync(file, { throwIfNoEntry: false })
  if (facts === undefined) return null
  if (!facts.isFile()) return undefined
  try {
    return readBoundedFileSync(file, maxBytes)
  } catch {
    return undefined
  }
}

function isSame(before: Buffer | null, after: Buffer | null | undefined): boolean {
  return before === null ? after === null : Buffer.isBuffer(after) && before.equals(after)
}

/** Whether a directory is there by exactly this name: through a link, something else would be changed. */
function isItself(directory: string): boolean {
  try {
    return realpathSync(directory) === directory
  } catch {
    return false
  }
}

/** A password in an address, or a header that signs in. */
const secret = /:\/\/[^/\s@]+@|extraheader|oauth|token|passw/i

/** The user's own settings of git, by which commits get their author; a file that may hold a secret stays hidden. */
function gitSettings(home: string): Mount[] {
  const files = [".gitconfig", ".config/git/config", ".config/git/ignore"].map((name) => path.join(home, name))
  return files.filter((file) => existsSync(file) && isPlain(file)).map((file) => ({ kind: "read", path: file }))
}

function isPlain(file: string): boolean {
  try {
    return !secret.test(readBoundedFileSync(file, maxBytes).toString())
  } catch {
    return false
  }
}
