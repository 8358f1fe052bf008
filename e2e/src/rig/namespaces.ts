import { execFile, execFileSync } from "node:child_process"
import { promisify } from "node:util"

const run = promisify(execFile)

/** A host of its own: a network that reaches the others by one link, and a view of the disk without their directories. */
export interface Room {
  /** Its address in the network. */
  address: string
  /** The command that starts a program in the room: the program and its arguments follow. */
  inside: readonly string[]
  /** Cuts the link: packets are lost without a word. */
  cut(): Promise<void>
  mend(): Promise<void>
}

export interface Network {
  /** The address of this machine in the network. */
  address: string
  /** @param hidden directories that the room does not see */
  open(name: string, hidden: readonly string[]): Promise<Room>
  close(): void
}

/** Hides the directories before `--`, and becomes the program after it. */
const hide = 'while [ "$1" != -- ]; do mount -t tmpfs none "$1"; shift; done; shift; exec "$@"'

/**
 * A network of this machine and rooms in it, by Linux namespaces and virtual cables.
 * @returns the reason as text when this machine does not let us make one
 */
export async function openNetwork(): Promise<Network | string> {
  if (process.getuid?.() !== 0) return "namespaces need root"
  const id = process.pid
  const bridge = `rig${id}`
  const subnet = `10.203.${id % 250}`
  const address = `${subnet}.1`
  const spaces: string[] = []
  const cables: string[] = []
  // At the end of the process nothing asynchronous can be waited for.
  const close = () => {
    process.off("exit", close)
    for (const cable of [...cables, bridge]) quietly("link", "del", cable)
    for (const space of spaces) quietly("netns", "del", space)
  }
  try {
    await ip("link", "add", bridge, "type", "bridge")
    process.once("exit", close)
    await ip("addr", "add", `${address}/24`, "dev", bridge)
    await ip("link", "set", bridge, "up")
    await run("unshare", ["--mount", "true"])
  } catch (error) {
    close()
    return `namespaces cannot be made here: ${error instanceof Error ? error.message : String(error)}`
  }
  return {
    address,
    close,
    async open(name, hidden) {
      const space = `docket-${bridge}-${name}`
      const cable = `${bridge}${name}`
      spaces.push(space)
      cables.push(cable)
      const own = `${subnet}.${spaces.length + 1}`
      await ip("netns", "add", space)
      await ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space)
      await ip("link", "set", cable, "master", bridge, "up")
      await ip("-n", space, "addr", "add", `${own}/24`, "dev", "eth0")
      for (const device of ["lo", "eth0"]) await ip("-n", space, "link", "set", device, "up")
      const enter = ["nsenter", `--net=/run/netns/${space}`, "unshare", "--mount"]
      // What runs in the room ends with this process, however that ends.
      const bound = ["setpriv", "--pdeathsig", "KILL"]
      return {
        address: own,
        inside: [...enter, ...bound, "sh", "-c", hide, "sh", ...hidden, "--"],
        cut: () => ip("link", "set", cable, "down"),
        mend: () => ip("link", "set", cable, "up"),
      }
    },
  }
}

async function ip(...args: string[]): Promise<void> {
  await run("ip", args)
}

function quietly(...args: string[]): void {
  try {
    execFileSync("ip", args, { stdio: "ignore" })
  } catch {
    // It was not made.
  }
}
