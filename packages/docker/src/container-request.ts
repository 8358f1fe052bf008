import { lstatSync, realpathSync } from "node:fs"
import type { Limits } from "@docket/core/limits-config"
import type { Mount } from "@docket/core/mount"
import type { DockerConfig } from "@docket/core/sandbox-config"

/** Which file something is: its device and number. */
export type FileIdentity = string

/** The container that a command needs. */
export interface ContainerRequest {
  /** The body of the request that makes it. */
  body: Record<string, unknown>
  /** What has to be found at paths in it. */
  identities: ReadonlyMap<string, FileIdentity>
  /** Two requests with the same key are served by the same container. */
  key: string
}

interface RequestFacts {
  docker: DockerConfig & { image: string }
  limits: Limits
  /** Of its owner; `ContainerRequest.key` names all of them. */
  labels: Readonly<Record<string, string>>
  /** Numbers of the user and the group whose rights commands have, as `1000:1000`. */
  user: string
}

/** What a container shows at a path, as the engine's API says it. */
type EngineMount = Record<string, unknown>

/**
 * Reads its input and does nothing. When the service ends, the engine ends the input, and with it the container, so that
 * nothing outlives the service. TERM goes to commands alone.
 */
const waiting = ["-c", 'trap "" TERM; exec cat >/dev/null']

/** The container in which a command sees what `shown` says. Files that are gone meanwhile are left out. */
export function containerRequest(shown: readonly Mount[], facts: RequestFacts): ContainerRequest {
  const { docker, limits, labels, user } = facts
  const found = shown.flatMap((mount) => engineMount(mount) ?? [])
  const identities = new Map(found.flatMap(({ at, source }) => (source === null ? [] : [[at, source] as const])))
  const { memory, processes } = limits.command
  const body = {
    Image: docker.image,
    Entrypoint: ["/bin/sh"],
    Cmd: waiting,
    // Its programs would count as left by commands.
    Healthcheck: { Test: ["NONE"] },
    User: user,
    Labels: labels,
    WorkingDir: "/",
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    Tty: false,
    HostConfig: {
      ...{ AutoRemove: true, Init: true, Privileged: false, ReadonlyRootfs: true },
      ...{ CapDrop: ["ALL"], SecurityOpt: ["no-new-privileges"], NetworkMode: "none", IpcMode: "private" },
      LogConfig: { Type: "none" },
      ...{ Memory: memory, MemorySwap: memory, PidsLimit: processes },
      ...(docker.cpus !== undefined && { NanoCpus: Math.round(docker.cpus * 1e9) }),
      Tmpfs: Object.fromEntries(["/tmp", "/var/tmp"].map((at) => [at, temporary(memory)])),
      Mounts: found.map(({ mount }) => mount),
    },
  }
  // The stand-ins of closed files are made anew for each command; what they stand for is the same.
  const key = JSON.stringify([{ ...body, HostConfig: { ...body.HostConfig, Mounts: found.map(({ key }) => key) } }])
  return { body, identities, key }
}

/** What is written there counts as memory. */
function temporary(memory: number): string {
  return `rw,nosuid,nodev,mode=1777,size=${Math.floor(memory / 2)}`
}

interface FoundMount {
  at: string
  /** What is mounted; null for what the engine makes. */
  source: FileIdentity | null
  mount: EngineMount
  key: string
}

function engineMount(mount: Mount): FoundMount | null {
  switch (mount.kind) {
    case "read":
    case "write":
      return bound(mount.path, mount.at ?? mount.path, mount.kind === "read")
    case "held-read":
    case "held-write":
      return isReached(mount.path) ? bound(mount.path, mount.path, mount.kind === "held-read") : null
    case "closed-file": {
      const standIn = lstatSync(mount.standIn)
      const closed = bound(mount.standIn, mount.path, true)
      const looks = [standIn.size, Math.floor(standIn.mtimeMs / 1_000), standIn.mode]
      return closed && { ...closed, key: ["closed", mount.path, ...looks, stateOf(mount.path)].join(" ") }
    }
    case "empty-file":
      return made(mount.path, { Type: "bind", Source: "/dev/null", ReadOnly: true })
    case "empty-directory":
      return made(mount.path, { Type: "tmpfs" })
    case "shut-directory":
      return made(mount.path, { Type: "tmpfs", ReadOnly: true, TmpfsOptions: { Mode: 0o555 } })
    // The image has its own links.
    case "link":
      return null
    default:
      mount satisfies never
      return null
  }
}

function bound(source: string, at: string, isReadOnly: boolean): FoundMount | null {
  const identity = identityOf(source)
  if (identity === null) return null
  const mount = { Type: "bind", Source: source, Target: at, ReadOnly: isReadOnly }
  return { at, source: identity, mount, key: JSON.stringify([mount, isReadOnly ? stateOf(source) : identity]) }
}

function made(at: string, mount: EngineMount): FoundMount {
  return { at, source: null, mount: { ...mount, Target: at }, key: JSON.stringify([mount, at, stateOf(at)]) }
}

/** Null when nothing is there. */
function identityOf(file: string): FileIdentity | null {
  const facts = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return facts === undefined ? null : `${facts.dev}:${facts.ino}`
}

/**
 * What a mount at a file depends on: when the file is replaced, the mount is gone from containers that are kept. The number alone
 * does not tell, because a file system gives it to the next file. A directory's other time changes with its entries, so it
 * does not count.
 */
function stateOf(file: string): string | null {
  const facts = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  if (facts === undefined) return null
  return [facts.dev, facts.ino, facts.birthtimeNs, facts.isDirectory() ? "" : facts.ctimeNs].join(":")
}

/** Whether exactly this file exists: none of its directories was replaced by a link. */
function isReached(file: string): boolean {
  try {
    return realpathSync(file) === file
  } catch {
    return false
  }
}
