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

/** Features of the installed bubblewrap; older versions lack them. */
export interface BubblewrapFeatures {
  /** Can mount an open file. */
  holdsFiles: boolean
  /** Can keep programs from creating namespaces of their own. */
  endsNamespaces: boolean
}

interface BubblewrapDeps {
  /** Path of the program. */
  program: string
  /** Path of nsenter, which enters a network namespace; null when not installed. */
  nsenter: string | null
  features: BubblewrapFeatures
  /** Absolute and real, like all paths below. */
  home: string
  /** The PATH variable of the service. */
  path: string | undefined
  /** Docket's data. */
  dataDirectory: string
  /** Contains the projects' own files and the worktrees of tasks. */
  ownDirectory: string
  /** The user's own configuration. */
  configDirectory: string
}

/**
 * Own processes, IPC and host names, and no root capabilities; everything ends with the program that started it. The
 * started program is process 1: bubblewrap ends only when it has ended and nothing else runs.
 */
const namespaces =
  "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent --as-pid-1 --hostname docket".split(
    " ",
  )

/** Waits for orphaned processes and prints nothing about how processes ended: the exit code tells that. */
const firstProcess = ["/bin/sh", "-c", 'exec 9>&2 2>/dev/null; (exec "$0" "$@" 2>&9 9>&-); exit $?']

/**
 * Directories that programs expect. They are created empty because the real ones contain sockets of system services.
 */
const emptySystem = ["--tmpfs", "/run", "--dir", "/var", "--symlink", "/run", "/var/run"]

interface BubblewrapOptions {
  /** The network of the program; null for none. */
  room: NetworkRoom | null
  /** Additional configuration files that the program can only read. */
  guarded: readonly string[]
  /** Files and directories that the program cannot open, see `standInsFor`. */
  closed: readonly Mount[]
  /** Closed files that must not be moved together with their directories. */
  staying: readonly string[]
}

export type ConfineByBubblewrap = (launch: Launch, place: SandboxPlace, options: BubblewrapOptions) => ConfinedLaunch

/** What a program is shown of its place, with what it may not change or open; and what undoes redirections of git. */
export function mountsOfPlace(
  { own, ownDirectory }: { own: readonly string[]; ownDirectory: string },
  place: SandboxPlace,
  { guarded, closed, staying }: Omit<BubblewrapOptions, "room">,
): { placed: Mount[]; restorePointers: () => void } {
  const shown = [place.worktree, ...(place.changes ?? []), ...place.readable]
  const hidden = [...place.hidden, ...own].filter((directory) => shown.some((place) => isWithin(place, directory)))
  const restorePointers = place.isReadOnly ? () => {} : holdGitPointers(gitDirectories(place.worktree))
  const placed = placeMounts({ ...place, hidden }, path.join(ownDirectory, "worktrees"), staying)
  const placedPaths = new Set(placed.map((mount) => mount.path))
  const isHidden = (file: string) => hidden.some((directory) => isWithin(directory, file))
  const all = [
    ...placed,
    ...guarded.filter((file) => !placedPaths.has(file) && !isHidden(file)).map(toRead),
    ...closed.filter(({ path: file }) => !isHidden(file)),
  ]
  return { placed: all, restorePointers }
}

/**
 * Makes git compare only size and seconds of the stand-in of a closed file. So git treats a file that it cannot open as
 * unchanged, and reports an error only where it has to read it.
 */
const gitWhereClosed = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.checkStat",
  GIT_CONFIG_VALUE_0: "minimal",
  GIT_CONFIG_KEY_1: "core.trustctime",
  GIT_CONFIG_VALUE_1: "false",
}

export function gitOfClosed(closed: readonly Mount[]): Record<string, string> {
  return closed.length > 0 ? gitWhereClosed : {}
}

/** Starts programs with bubblewrap. The machine's programs are searched once, at the first start. */
export function createBubblewrap(deps: BubblewrapDeps): ConfineByBubblewrap {
  const { features, dataDirectory, ownDirectory, configDirectory } = deps
  const root = sandboxRoot(ownDirectory)
  const own = [dataDirectory, configDirectory]
  const filter = systemCallFilter(process.arch)
  let found: ReturnType<typeof findMounts> | null = null
  return (launch, place, { room, guarded, closed, staying }) => {
    found ??= findMounts(deps, own)
    const { home, temporary } = privateDirectories(root, place.home ?? place.project)
    const { placed, restorePointers } = mountsOfPlace({ own, ownDirectory }, place, { guarded, closed, staying })
    const mounts: Mount[] = [
      { kind: "write", path: temporary, at: "/tmp" },
      { kind: "write", path: temporary, at: "/var/tmp" },
      { kind: "write", path: home, at: deps.home },
      ...gitSettings(deps.home),
      ...found.programs,
      ...placed,
    ]
    const { args, descriptors } = mountArguments(features.holdsFiles ? mounts : mounts.map(unheld))
    const filtering = filter === null ? [] : ["--seccomp", String(firstDescriptor + descriptors.length)]
    if (filter !== null) descriptors.push(openFilter(root, filter))
    const all = [
      ...namespaces,
      ...(room === null && place.hasOpenNetwork !== true ? ["--unshare-net"] : []),
      ...(features.endsNamespaces ? ["--disable-userns"] : []),
      ...filtering,
      ...found.system,
      // Kernel settings: a service that runs as root could change them, because root owns their files.
      ...["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev", ...emptySystem],
      ...args,
      ...["--remount-ro", "/", "--chdir", launch.cwd, "--", ...firstProcess, launch.file, ...launch.args],
    ]
    return {
      ...launcher(deps, all, room),
      cwd: "/",
      env: {
        ...sandboxEnv(launch.env, { home: deps.home, named: place.variables }),
        ...room?.env,
        ...gitOfClosed(closed),
      },
      descriptors,
      release() {
        for (const descriptor of descriptors) closeSync(descriptor)
      },
      async ended() {
        restorePointers()
        return []
      },
    }
  }
}

/** The program that runs bubblewrap, directly or inside the network that the confined program must stay in. */
function launcher({ program, nsenter }: BubblewrapDeps, args: string[], room: NetworkRoom | null) {
  if (room === null) return { file: program, args }
  if (nsenter === null) throw new Error("nsenter is not installed, so that no host can be reached: install util-linux.")
  const enter = ["--user", "--net", "--preserve-credentials", "--target", String(room.pid), "--"]
  return { file: nsenter, args: [...enter, program, ...args] }
}

/** The mounts that every sandbox of this machine has. */
function findMounts(deps: BubblewrapDeps, own: readonly string[]): { system: string[]; programs: Mount[] } {
  const mounts = systemMounts()
  const system = mounts.map((mount) => mount.path)
  return { system: mountArguments(mounts).args, programs: programMounts({ ...deps, own, system }) }
}

/** The directory with the sandbox files of all projects. */
export function sandboxRoot(dataDirectory: string): string {
  return path.join(dataDirectory, "sandbox")
}

function toRead(file: string): Mount {
  return { kind: "held-read", path: file }
}

/** The mount for a bubblewrap that cannot mount open files. */
function unheld(mount: Mount): Mount {
  if (mount.kind === "held-read") return { kind: "read", path: mount.path }
  return mount.kind === "held-write" ? { kind: "write", path: mount.path } : mount
}

/** Arguments for bubblewrap, with the open files that they refer to as descriptors 3, 4, and so on. */
interface BubblewrapArguments {
  args: string[]
  descriptors: number[]
}

/** Descriptors 0 to 2 are standard input, output and error. */
const firstDescriptor = 3

/** @throws Error when a file exists but cannot be opened; all opened files are closed then */
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

/** Opening never blocks, not even for a pipe. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/** Null when nothing has exactly this name, also when a part of the path was replaced by a link meanwhile. */
function openHeld(file: string): number | null {
  let descriptor: number
  try {
    descriptor = openSync(file, openFlags)
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
 * Variables that programs in a sandbox do not get, besides the secrets that no command gets: they make programs load
 * other code, or name local services. Source: ld.so(8), bash(1), git(1), manuals of interpreters, XDG.
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
/** Variables that keep git from waiting for a person. */
const kept = /^GIT_(?:PAGER|EDITOR|TERMINAL_PROMPT)$/

/** The environment of a program in a sandbox. `named` are variables that the user allows. */
export function sandboxEnv(
  env: Readonly<Record<string, string>>,
  { home, named }: { home: string; named: readonly string[] },
): Record<string, string> {
  const passed = Object.entries(env).filter(([name]) => named.includes(name) || kept.test(name) || !leftOut.test(name))
  return { ...Object.fromEntries(passed), HOME: home, TMPDIR: "/tmp" }
}

/** Where version managers and language tools are installed in a home directory; none of these contains keys. */
const toolsOfHome = [
  ".nvm .fnm .volta .asdf .pyenv .rbenv .nodenv .jenv .goenv .sdkman .rustup .cargo/bin .bun/bin .deno/bin .dotnet .ghcup",
  ".juliaup .opam .pub-cache/bin .npm-global .yarn/bin go/bin miniconda3 miniforge3 anaconda3 .local/bin .local/lib",
  ".local/share/mise .local/share/rtx .local/share/fnm .local/share/uv .local/share/pipx .local/pipx .cache/ms-playwright",
]
  .join(" ")
  .split(" ")

/** Directories of a home with more than programs: only their subdirectories on the search path are mounted. */
const sharedByMuch = ". .local .config .cargo .cache .npm .bun .deno .yarn go".split(" ")

interface ProgramPlaces {
  home: string
  /** The PATH variable of the service. */
  path: string | undefined
  /** Docket's own directories. */
  own: readonly string[]
  /** Mounted anyway. */
  system: readonly string[]
}

/** Programs outside the system directories: on the search path, and tools in the home directory. */
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

/** The installation that contains a directory of programs: `…/node-24` for `…/node-24/bin`. */
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

/** Directories with programs and their dependencies; no other top-level directory is mounted. */
const systemDirectories = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /nix /gnu /snap".split(" ")

/** Files in `/etc` that a service running as root could read: passwords, private keys, network credentials. */
const systemSecrets = [
  "shadow shadow- gshadow gshadow- sudoers sudoers.d krb5.keytab security/opasswd ssl/private pki/tls/private",
  "ssh docker kubernetes rancher wireguard openvpn letsencrypt ppp ipsec.secrets ipsec.d NetworkManager/system-connections",
  "wpa_supplicant cloud credstore credstore.encrypted",
]
  .join(" ")
  .split(" ")

/** Read-only mounts of the system: programs, libraries and their settings, without secrets. */
function systemMounts(): Mount[] {
  return [...systemDirectories.flatMap(systemMount), ...optionalPrograms(), ...secretMasks()]
}

function systemMount(directory: string): Mount[] {
  const facts = lstatSync(directory, { throwIfNoEntry: false })
  if (facts === undefined) return []
  if (facts.isSymbolicLink()) return [{ kind: "link", path: directory, to: readlinkSync(directory) }]
  return [{ kind: "read", path: directory }]
}

/** Installations in `/opt`, without git repositories there. */
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

/** Files in a git directory that make git read its settings elsewhere: `gitrepository-layout(5)`. */
const redirectingNames = ["commondir", "config.worktree"]
/** The most bytes of a file that is restored. */
const maxBytes = 64 * 1024

/**
 * Restores the files that redirect git's settings. They rarely exist, and a missing file cannot be mounted read-only:
 * so programs may create them, and the change is undone.
 * @param directories git directories of a repository, its worktrees and submodules
 * @returns restores the earlier files; call it when no program can write there any more
 */
function holdGitPointers(directories: readonly string[]): () => void {
  const before = directories
    .flatMap((directory) => redirectingNames.map((name) => path.join(directory, name)))
    .map((file) => ({ file, content: contentOf(file) }))
  return () => {
    for (const { file, content } of before) {
      if (!isItself(path.dirname(file)) || content === undefined || isSame(content, contentOf(file))) continue
      rmSync(file, { recursive: true, force: true })
      if (content !== null) writeFileSync(file, content, { flag: "wx" })
    }
  }
}

/** Null when nothing is there; undefined when it is no small regular file. */
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

/** Whether exactly this directory exists: through a link, another file would be changed. */
function isItself(directory: string): boolean {
  try {
    return realpathSync(directory) === directory
  } catch {
    return false
  }
}

/** A password in a URL, or a header with credentials. */
const secret = /:\/\/[^/\s@]+@|extraheader|oauth|token|passw/i

/** The user's own git settings, which contain the author of commits. A file that may contain a secret stays hidden. */
export function gitSettings(home: string): Mount[] {
  const files = [".gitconfig", ".config/git/config", ".config/git/ignore"].map((name) => path.join(home, name))
  return files.filter((file) => existsSync(file) && hasNoSecret(file)).map((file) => ({ kind: "read", path: file }))
}

function hasNoSecret(file: string): boolean {
  try {
    return !secret.test(readBoundedFileSync(file, maxBytes).toString())
  } catch {
    return false
  }
}
