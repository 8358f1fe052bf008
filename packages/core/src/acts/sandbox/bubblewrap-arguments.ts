import { closeSync, constants, openSync, readlinkSync } from "node:fs"
import type { Mount } from "./mount.ts"

/** Arguments of bubblewrap, and the open files that they speak of: its descriptors 3, 4, and so on. */
export interface BubblewrapArguments {
  args: string[]
  descriptors: number[]
}

/** Node's descriptors 0 to 2 come first. */
export const firstDescriptor = 3

/** @throws Error when a file cannot be opened for another reason than that it is not there; nothing stays open then */
export function mountArguments(mounts: readonly Mount[]): BubblewrapArguments {
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
